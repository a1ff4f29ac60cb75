import { readFile, writeFile } from 'node:fs/promises'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { loadStory } from '../load-story.js'
import { type NamedStory, readKeptPlay } from './kept-play.js'
import { keepPlay } from './results-folder.js'

async function rename(sim: Simulator, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify({ display_name: name }) }
  const url = new URL('/api/v1/identities/support', sim.baseUrl)
  await getResponse([...sim.handlers], new Request(url, init))
}

const write = (folder: string, story: NamedStory, simulator: Simulator) =>
  keepPlay(folder, simulator, { ...story, files: [] })

/** Plays some of a shipped story, with a change, a delivery and time between the requests. */
async function playedSome(): Promise<Simulator> {
  const sim = await createSimulator({ scenario: 'refund-request', seed: 5, extend: ['common'] })
  for (let turn = 1; turn <= 4; turn++) {
    await rename(sim, `Turn ${turn}`)
    sim.mail.receive({ to: 'support', from: 'bo@mail.example', subject: `Mail ${turn}`, text: 'Hi' })
    await sim.clock.advance('2m')
    sim.assumptions.set({ 'threads.total': turn % 2 === 0 ? 'page-size' : 'all-matches' })
  }
  return sim
}

describe('a kept play', () => {
  it('gives the world at each of its exchanges, at an instant and at its end', async () => {
    const folder = await folderOf()
    const played = await playedSome()
    await write(folder, { scenario: 'refund-request', extend: ['common'] }, played)
    const { until, scenario, extend, seed, start } = await readKeptPlay(folder)
    const story = { scenario, extend, seed, start }
    expect(story).toMatchObject({ scenario: 'refund-request', extend: ['common'], seed: 5 })
    const [delivery] = played.deliveries.list()
    const moments = [
      ...played.journal.exchanges().map(({ seq }) => String(seq)),
      '2026-01-05T09:03:00Z',
      `${delivery?.id}`,
    ]
    const initialState = await loadStory({ ...story, extend: [...story.extend] })
    for (const moment of [...moments, undefined]) {
      const again = await createSimulator({ initialState })
      const { told, now } = await until(moment)
      again.paced.retell(told).goOn(now)
      expect(again.digest()).toBe((moment === undefined ? played : played.asOf(moment)).digest())
      // What came before is known there, too.
      const middle = again.journal.exchanges()[1]?.seq
      if (middle) expect(again.asOf(middle).digest()).toBe(played.asOf(middle).digest())
      again.close()
    }
    const refused = ['9', 'nine', '2027-01-01T00:00:00Z'].map((moment) =>
      until(moment).catch(({ message }: Error) => message),
    )
    expect(await Promise.all(refused)).toEqual([
      'There is no exchange 9 yet; the latest is 4.',
      expect.stringContaining(
        'There is no delivery "nine" that is still known; a moment is the seq of an exchange',
      ),
      '2027-01-01T00:00:00Z has not come yet: it is 2026-01-05T09:08:00.000Z.',
    ])
  })

  it('of a later version, or of a story that has changed, is refused with what to do', async () => {
    const folder = await folderOf()
    const place = folder.replace(/\/$/, '')
    await write(folder, { scenario: 'refund-request' }, await playedSome())
    const other = await createSimulator({ scenario: 'refund-request', seed: 6 })
    const { told } = await (await readKeptPlay(folder)).until('1')
    expect(() => other.paced.retell(told)).toThrow('restore it in a world with that seed')
    const text = await readFile(`${place}/results.json`, 'utf8')
    await writeFile(`${place}/results.json`, text.replace('"version": 1', '"version": 2'))
    await expect(readKeptPlay(folder)).rejects.toThrow(
      'was written by a later version of agent-mailbox-sim; update this one to read it.',
    )
  })
})
