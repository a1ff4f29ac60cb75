import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { changesIn } from '../../doors/controls/log.js'
import { openSimulator } from '../../doors/simulator/create-simulator.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { loadStory } from '../replay/replay.js'
import { keepPlay, readKeptPlay, writeStory } from './kept-play.js'

async function rename(sim: Simulator, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify({ display_name: name }) }
  const url = new URL('/api/v1/identities/support', sim.baseUrl)
  await getResponse([...sim.handlers], new Request(url, init))
}

/** Plays some of a shipped story, with a change, a delivery and time between the requests. */
async function playedSome(): Promise<Simulator> {
  const sim = await openSimulator({ scenario: 'refund-request', seed: 5, extend: ['common'] })
  for (let turn = 1; turn <= 4; turn++) {
    await rename(sim, `Turn ${turn}`)
    sim.mail.receive({ to: 'support', from: 'bo@mail.example', subject: `Mail ${turn}`, text: 'Hi' })
    await sim.clock.advance('2m')
    sim.assumptions.set({ 'threads.total': turn % 2 === 0 ? 'page-size' : 'all-matches' })
  }
  return sim
}

describe('a kept play', () => {
  it('gives the world after each entry of its log, with what came before', async () => {
    const folder = await folderOf()
    const played = await playedSome()
    await keepPlay(folder, played, { scenario: 'refund-request', extend: ['common'] })
    const { read, scenario, extend, seed, start } = await readKeptPlay(folder)
    const story = { scenario, extend, seed, start }
    expect(story).toMatchObject({ scenario: 'refund-request', extend: ['common'], seed: 5 })
    const initialState = await loadStory({ ...story, extend: [...story.extend] })
    const { latest } = played.events
    for (let at = 0; at <= latest; at++) {
      const again = await openSimulator({ initialState })
      again.view.world.continueAfter(await read(again.view.world, at))
      const fork = played.fork({ at })
      expect([at, again.digest()]).toEqual([at, fork.digest()])
      expect(again.events.latest).toBe(at)
      again.close()
      fork.close()
    }
    const whole = await openSimulator({ initialState })
    whole.view.world.continueAfter(await read(whole.view.world))
    expect(whole.journal.exchanges()).toEqual(played.journal.exchanges())
    expect(whole.deliveries.list()).toEqual(played.deliveries.list())
    expect(changesIn(whole)).toEqual(changesIn(played))
    await expect(read(whole.view.world, latest + 1)).rejects.toThrow(`There is no entry ${latest + 1} in`)
  })

  it('contains no key or token', async () => {
    const folder = await folderOf()
    const sim = await openSimulator({ scenario: 'refund-request', seed: 5, extend: ['common'] })
    sim.webhooks.create({
      url: 'http://127.0.0.1:9/?token=in-the-url',
      events: ['message.received'],
      authToken: 'token-of-hook',
    })
    await rename(sim, 'One')
    await keepPlay(folder, sim, { scenario: 'refund-request', extend: ['common'] })
    const text = await readFile(join(folder, 'log.jsonl'), 'utf8')
    expect(text).not.toContain(sim.apiKey)
    expect(text).not.toMatch(/token-of-hook|in-the-url/)
    const initialState = await loadStory({ scenario: 'refund-request', seed: 5, extend: ['common'] })
    const again = await openSimulator({ initialState })
    const { read } = await readKeptPlay(folder)
    again.view.world.continueAfter(await read(again.view.world))
    expect(again.digest()).toBe(sim.digest())
  })

  it('is refused with the line that is damaged, cut or missing, and has no pipe', async () => {
    const folder = await folderOf()
    const log = join(folder, 'log.jsonl')
    const played = await playedSome()
    await keepPlay(folder, played, { scenario: 'refund-request', extend: ['common'] })
    const { read } = await readKeptPlay(folder)
    const lines = (await readFile(log, 'utf8')).split('\n')
    const refusalOf = async (changed: readonly string[]): Promise<unknown> => {
      await writeFile(log, changed.join('\n'))
      return read(played.view.world).catch((error) => error.message.replace(folder, ''))
    }
    const refusal = (line: number) =>
      expect.stringContaining(`log.jsonl: line ${line} is damaged, or one before it is missing.`)
    expect(await refusalOf(lines.with(4, `{${lines[4]}`))).toEqual(refusal(5))
    expect(await refusalOf(lines.toSpliced(4, 1))).toEqual(refusal(5))
    expect(await refusalOf(lines.toSpliced(0, 1))).toEqual(refusal(1))
    expect(await refusalOf([lines.join('\n').trimEnd().slice(0, -9)])).toEqual(refusal(lines.length - 1))
    if (process.platform === 'win32') return
    await rm(log)
    execFileSync('mkfifo', [log])
    await expect(read(played.view.world)).rejects.toThrow('log.jsonl: it is not a file')
    const copy = join(folder, 'copy.yaml')
    execFileSync('mkfifo', [copy])
    await writeStory(copy, { scenario: 'small' }, 'Small')
    expect(await readFile(copy, 'utf8')).toContain('scenario: small')
  })

  it('of another version, or of a story that has changed, is refused with what to do', async () => {
    const folder = await folderOf()
    const place = folder.replace(/\/$/, '')
    await keepPlay(folder, await playedSome(), { scenario: 'refund-request' })
    const other = await openSimulator({ scenario: 'refund-request', seed: 6 })
    const { read } = await readKeptPlay(folder)
    await expect(read(other.view.world)).rejects.toThrow('restore it in a world with that seed')
    const text = await readFile(`${place}/results.json`, 'utf8')
    await writeFile(`${place}/results.json`, text.replace('"version": 3', '"version": 4'))
    await expect(readKeptPlay(folder)).rejects.toThrow('was written by another version of agent-mailbox-sim')
  })
})
