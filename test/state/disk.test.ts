import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { defineExtension } from 'agent-mailbox-sim'
import { type RunningServer, type ServerOptions, startServer } from 'agent-mailbox-sim/server'
import { expect, it, describe as suite, vi } from 'vitest'
import { openState, openStore } from '../../src/doors/state/open-state.js'
import type { ClockMode } from '../../src/service/time/time.js'
import { ask } from '../server/control-client.js'
import { follow } from '../server/event-stream.js'
import { openSocket, readAnswers, requestText } from '../server/raw-request.js'
import { followFakeTimers } from '../support/fake-timers.js'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf, desk, openDesk } from './open-desk.js'
import { freePort } from './programs.js'

followFakeTimers()

suite('serve --state-dir', () => {
  it('answers a request that arrives while the state is read', async () => {
    const state = openState({ directory: await folderOf(), warn: () => undefined })
    const port = await freePort()
    const attach = state.attach.bind(state)
    let early: ReturnType<typeof descriptionOf> | undefined
    state.attach = async (kept) => {
      early = descriptionOf({ url: `http://127.0.0.1:${port}` })
      // When this is answered, all earlier requests are answered or dropped.
      await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(50) }).catch(() => undefined)
      await attach(kept)
    }
    const server = await startServer({ scenario: desk, port, clock: 'frozen', state })
    expect(await early).toMatchObject({ status: 200 })
    await server.close()
  })

  it('goes on from a moment, also after a restart', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    await describe(server, 'One')
    const { seq } = (await ask(server, 'GET', '/journal')).body.exchanges[0]
    const { digest } = (await ask(server, 'GET', '/world?digest=true')).body
    await ask(server, 'POST', '/clock', { body: { advance: '1h' } })
    await describe(server, 'Two')
    const { id: world, api_key: key } = (await ask(server, 'POST', '/worlds', { body: { at: seq } })).body
    expect((await ask(server, 'GET', '/world?digest=true', { world })).body.digest).toBe(digest)
    await server.close()
    const again = await openDesk(directory)
    expect(await descriptionOf(again, key)).toMatchObject({ description: 'One' })
    expect((await ask(again, 'GET', '/world?digest=true', { world })).body.digest).toBe(digest)
    await again.close()
  })

  it('restores every world after a restart, with deliveries and clock', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    await describe(server, 'one')
    const { body: fork } = await ask(server, 'POST', '/worlds', { body: {} })
    const { body: other } = await ask(server, 'POST', '/worlds', {
      body: { scenario: 'empty', seed: 9 },
    })
    await describe(server, 'two', fork.api_key)
    await describe(server, 'three', other.api_key, 'desk')
    await ask(server, 'POST', '/clock', { body: { advance: '20m' } })
    await ask(server, 'POST', '/faults', { body: { operation: 'threads.list', status: 503, times: 2 } })
    server.simulator.assumptions.set({ 'threads.total': 'page-size' })
    const digest = server.simulator.digest()
    await server.close()

    const again = await openDesk(directory)
    expect(again.simulator.digest()).toBe(digest)
    expect(again.simulator.faults.list()).toMatchObject([{ fault: { status: 503, times: 2 } }])
    expect(await descriptionOf(again)).toMatchObject({ description: 'one' })
    expect(await descriptionOf(again, fork.api_key)).toMatchObject({ description: 'two' })
    expect(await descriptionOf(again, other.api_key, 'desk')).toMatchObject({ description: 'three' })
    const { body: listed } = await ask(again, 'GET', '/worlds')
    expect(listed.worlds.map(({ id }: { id: string }) => id)).toEqual(['world_1', fork.id, other.id])
    expect((await ask(again, 'DELETE', `/worlds/${fork.id}`)).status).toBe(204)
    expect((await descriptionOf(again, fork.api_key)).status).toBe(401)
    await again.close()
    const last = await openDesk(directory)
    expect((await descriptionOf(last, fork.api_key)).status).toBe(401)
    await last.close()
  })

  it('tells readers of events and the journal that a restart is between their last number and the next', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    const follower = await follow(server.controlUrl)
    await describe(server, 'before')
    const [exchange] = await follower.have(1)
    const { seq } = (await ask(server, 'GET', '/journal')).body.exchanges[0]
    await server.close()
    await follower.ended

    const again = await openDesk(directory)
    // More than before, so that numbers from 1 would have passed the earlier ones.
    for (let count = 0; count < 5; count++) await describe(again, `number ${count}`)
    const back = await follow(again.controlUrl, '?types=exchange', { 'last-event-id': exchange?.id ?? '' })
    const [gap, ...exchanges] = await back.have(6)
    expect(gap).toMatchObject({ event: 'gap', data: { missed: null } })
    expect(exchanges).toHaveLength(5)
    const fromStart = await follow(again.controlUrl, '?after=0&types=exchange')
    expect(await fromStart.have(5)).toEqual(exchanges)
    for (const what of ['journal', 'journal/commands']) {
      const { body } = await ask(again, 'GET', `/${what}?since=${seq}`)
      expect([what, body.missed, (body.exchanges ?? body.commands).length]).toEqual([what, null, 5])
      expect((await ask(again, 'GET', `/${what}?since=0`)).body.missed).toBe(0)
    }
    await again.close()
  })

  it('gives each of several worlds that are created at once its own id and key', async () => {
    const directory = await folderOf()
    const ids: string[] = []
    for (const _ of ['fresh', 'restarted']) {
      const server = await openDesk(directory)
      const creating = Array.from({ length: 6 }, () => ask(server, 'POST', '/worlds', { body: {} }))
      const created = (await Promise.all(creating)).map(({ body }) => body)
      ids.push(...created.map(({ id }) => id))
      expect(new Set(created.map(({ api_key }) => api_key)).size).toBe(6)
      await server.close()
    }
    expect(ids.toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => `world_${index + 2}`).toSorted())
  })

  it('refuses a second process and another seed, unless reset', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    await describe(server, 'kept')
    // The second attempt sees what the first has left.
    for (let times = 0; times < 2; times++)
      await expect(openDesk(directory)).rejects.toThrow(`is in use by process ${process.pid}`)
    await server.close()
    await expect(openDesk(directory, { seed: 5 })).rejects.toThrow(/seed 4.*seed 5.*--state-reset/)
    const again = await openDesk(directory, { seed: 5, reset: true })
    expect((await descriptionOf(again)).description).not.toBe('kept')
    await again.close()
  })

  it('refuses a start whose options differ from those of the first', async () => {
    const directory = await folderOf()
    const first = { extend: ['common'], assume: [{ from: '--assume', input: 'worst-case' }] }
    await (await openDesk(directory, first)).close()
    const refusal = async (options: ServerOptions): Promise<string> => {
      const { message } = await openDesk(directory, { ...first, ...options }).then(
        () => ({ message: 'It was started.' }),
        (error: Error) => error,
      )
      return message.replace(directory, '<state>')
    }
    const remedy = 'name another place, or start over with --state-reset.'
    expect(await refusal({ extend: [] })).toMatch(
      /^<state> was created with extensions that define .*threads\.get.*, which this start lacks\. Add --extend common, name/,
    )
    const chosen = [...first.assume, { from: '--assume', input: { 'threads.total': 'all-matches' } }]
    expect(await refusal({ assume: chosen })).toBe(
      '<state> was created with the assumption threads.total=page-size (--assume: worst-case), but this start has ' +
        `threads.total=all-matches (--assume). Start with the same assumptions, ${remedy}`,
    )
    expect(await refusal({ assume: 'default' })).toMatch(
      / \(options: default\); \d+ more assumptions differ\. /,
    )
    expect(await refusal({ clock: '10x' })).toBe(
      `<state> was created with --clock frozen, but this start has --clock 10x. Start with the former, ${remedy}`,
    )
    // A further extension is as good as one from the beginning.
    const more = defineExtension(({ operation }) => [
      operation({ id: 'plans.get', method: 'GET', path: '/api/v1/plan', perform: () => ({}) }),
    ])
    await (await openDesk(directory, { ...first, extend: ['common', more] })).close()
    expect(await refusal({})).toMatch(
      /define plans\.get, which this start lacks\. Restore them, name another/,
    )
  })

  it('keeps the seed and the start of a world with a scenario of its own', async () => {
    const directory = await folderOf()
    const scenario = { ...desk, scenario: 'other', seed: 1, start: '2026-03-01T08:00:00Z' }
    const world = async (server: RunningServer, id: string) => {
      const { seed, start, digest } = (await ask(server, 'GET', '/world?digest=true', { world: id })).body
      return { seed, start, digest }
    }
    const server = await openDesk(directory, { seed: desk.seed })
    const { body: made } = await ask(server, 'POST', '/worlds', { body: { scenario } })
    const before = await world(server, made.id)
    expect(before).toMatchObject({ seed: desk.seed, start: '2026-03-01T08:00:00.000Z' })
    await server.close()
    const again = await openDesk(directory)
    expect(await world(again, made.id)).toEqual(before)
    const { body: later } = await ask(again, 'POST', '/worlds', { body: { scenario } })
    expect(await world(again, later.id)).toMatchObject({ seed: 1, start: before.start })
    await again.close()
  })

  it('answers the first request to an operation that only a stored world has', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    const scenario = { ...desk, extend: ['common'] }
    const { body: one } = await ask(server, 'POST', '/worlds', { body: { scenario } })
    const { body: other } = await ask(server, 'POST', '/worlds', { body: { scenario } })
    await server.close()
    const again = await openDesk(directory)
    const thread = again.simulator.threads.list()[0]?.id
    const send = async (key: string, method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return fetch(`${again.url}/api/v1${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
      })
    }
    expect((await send(one.api_key, 'GET', `/mail/threads/${thread}`)).status).toBe(200)
    const mail = { agent: 'eva', to: ['ann@example.com'], subject: 'Hello', text: 'Hello' }
    expect((await send(other.api_key, 'POST', '/mail/messages', mail)).status).toBe(201)
    await again.close()
  })

  it('answers clients that have ended their side of the connection', async () => {
    const server = await openDesk(await folderOf())
    const { body: world } = await ask(server, 'POST', '/worlds', { body: {} })
    const json = { 'content-type': 'application/json' }
    const description = JSON.stringify({ description: 'half-closed' })
    const patch = (key: string) => {
      const headers = { ...json, authorization: `Bearer ${key}`, 'content-length': `${description.length}` }
      return requestText('PATCH /api/v1/identities/eva', headers, description)
    }
    const requests: [text: string, status: number][] = [
      [patch('desk-key'), 200],
      [patch(world.api_key), 200],
      [requestText('GET /api/v1/identities/eva', { authorization: 'Bearer desk-key' }), 200],
      [requestText('GET /_sim/world'), 200],
      [requestText('POST /_sim/clock', { ...json, 'content-length': '16' }, '{"advance":"1m"}'), 200],
      [requestText(`DELETE /_sim/worlds/${world.id}`, json), 204],
    ]
    for (const [text, status] of requests) {
      const socket = await openSocket(server.url)
      const answers = readAnswers(socket)
      socket.end(text)
      expect([text, (await answers).map((answer) => answer.status)]).toEqual([text, [status]])
    }
    await server.close()
  })

  it('deletes worlds for good while their clients go on sending', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    const keys: string[] = []
    const deleteOne = async (): Promise<number[]> => {
      const { body: world } = await ask(server, 'POST', '/worlds', { body: {} })
      keys.push(world.api_key)
      let deleted = false
      const after: number[] = []
      const send = async (): Promise<void> => {
        for (let count = 0; after.length < 3; count++) {
          const wasDeleted = deleted
          const status = await describe(server, `number ${count}`, world.api_key)
          if (wasDeleted) after.push(status)
        }
      }
      const clients = [send(), send(), send()]
      while ((await descriptionOf(server, world.api_key)).description?.startsWith('number') !== true);
      expect((await ask(server, 'DELETE', `/worlds/${world.id}`)).status).toBe(204)
      deleted = true
      await Promise.all(clients)
      return after
    }
    const statuses = await Promise.all(Array.from({ length: 3 }, deleteOne))
    expect(new Set(statuses.flat())).toEqual(new Set([401]))
    await server.close()
    const again = await openDesk(directory)
    for (const key of keys) expect((await descriptionOf(again, key)).status).toBe(401)
    expect((await ask(again, 'GET', '/worlds')).body.worlds).toHaveLength(1)
    await again.close()
    const store = openStore({ directory, warn: () => undefined })
    expect(await store.logged()).toEqual([])
    await store.close()
  })

  it('deletes nothing for a start with --state-reset that fails', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    await describe(server, 'kept')
    await server.close()
    const taken = await startServer({ scenario: desk, port: 0 })
    const failing: ServerOptions[] = [
      { scenario: './no-such-story.yaml' },
      { scenario: desk, assume: 'worst-cas' },
      { scenario: desk, port: Number(new URL(taken.url).port) },
    ]
    for (const options of failing) {
      const state = openState({ directory, reset: true, warn: () => undefined })
      await expect(startServer({ port: 0, clock: 'frozen', state, ...options })).rejects.toThrow()
    }
    await taken.close()
    const again = await openDesk(directory)
    expect((await descriptionOf(again)).description).toBe('kept')
    await again.close()
  })

  it('explains why a folder cannot be created or used', async () => {
    const folder = await folderOf({ file: '' })
    const refused = (path: string) => expect(openDesk(path)).rejects
    await refused(`${folder}/file`).toThrow(
      '/file cannot be created: a file has this name; name a directory.',
    )
    await refused(`${folder}/file/in`).toThrow(/cannot be created: a part of this path is a file/)
    await refused(await folderOf({ 'last-commit/x': '' })).toThrow(
      /cannot be read: EISDIR.*Restore the directory/,
    )
    await refused('').toThrow('--state-dir "" cannot be created: the path is empty')
  })

  it.runIf(existsSync('/proc/self'))('says that no folder can be created below /proc', async () => {
    await expect(openDesk('/proc/state')).rejects.toThrow(/cannot be created: the directory that it is in/)
  })

  it.runIf(existsSync('/sys/kernel'))(
    'does not propose a reset of a folder it may not write to',
    async () => {
      const error = await openDesk('/sys').catch(String)
      expect(error).toMatch(
        /\/sys cannot be used: .*; let this user write to it, or name another directory\./,
      )
      expect(error).not.toContain('reset')
    },
  )

  it('refuses a scenario of the same name with other contents', async () => {
    const directory = await folderOf()
    await (await openDesk(directory)).close()
    const state = openState({ directory, warn: () => undefined })
    const scenario = { ...desk, identities: [{ handle: 'eva' }] }
    await expect(startServer({ scenario, port: 0, clock: 'frozen', state })).rejects.toThrow(
      /other contents of the scenario "desk"\. Restore the scenario/,
    )
  })

  it('continues a real clock that was set back meanwhile', async () => {
    const directory = await folderOf()
    const begin = new Date('2026-03-01T12:00:00Z')
    try {
      const seen: string[] = []
      for (const days of [0, -1, 1]) {
        vi.useFakeTimers({ toFake: ['Date'], now: begin.getTime() + days * 86_400_000 })
        const state = openState({ directory, warn: () => undefined })
        const server = await startServer({ scenario: desk, port: 0, clock: 'real', state })
        expect(await describe(server, `day ${days}`)).toBe(200)
        // The time of the acknowledged change; no log has a later one.
        seen.push(server.simulator.identities.get('eva').updated_at)
        expect(await descriptionOf(server)).toMatchObject({ description: `day ${days}` })
        await server.close()
      }
      expect(seen).toEqual([...seen].sort())
      expect(seen[2]).toMatch(/^2026-03-02T12:/)
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on with a story over restarts as long as its clock has run', async () => {
    const begin = new Date('2026-03-01T12:00:00Z').getTime()
    const open = async (directory: string, clock: ClockMode) => {
      const state = openState({ directory, warn: () => undefined })
      return startServer({ scenario: desk, port: 0, clock, state })
    }
    try {
      const directory = await folderOf()
      const news: (string | undefined)[] = []
      for (const minutes of [0, 4, 8, 12]) {
        vi.useFakeTimers({ toFake: ['Date'], now: begin + minutes * 60_000 })
        const server = await open(directory, 'real')
        // Before, nobody asks for anything. An advance waits for what is due.
        if (minutes === 12) await server.simulator.clock.advance(0)
        await server.close()
        news.push(server.simulator.threads.list().find(({ subject }) => subject === '')?.last_message_at)
      }
      expect(news).toEqual([undefined, undefined, undefined, '2026-03-01T12:10:00.000Z'])
    } finally {
      vi.useRealTimers()
    }
    const directory = await folderOf()
    const server = await open(directory, '1000x')
    while (server.simulator.clock.now() === server.simulator.start) await descriptionOf(server)
    const seen = server.simulator.clock.now()
    await server.close()
    const again = await open(directory, '1000x')
    expect(again.simulator.clock.now() >= seen).toBe(true)
    await again.close()
  })

  it('changes nothing in a folder without a state', async () => {
    const directory = await folderOf()
    const store = openStore({ directory, warn: () => undefined })
    expect(await store.start()).toBeUndefined()
    await store.close()
    expect(readdirSync(directory)).toEqual([])
  })

  it('compacts a long log by a snapshot', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory, { sync: 'second' })
    for (let round = 0; round < 8; round++)
      expect(await describe(server, `${round} ${'x'.repeat(20_000)}`)).toBe(200)
    const digest = server.simulator.digest()
    await server.close()
    const again = await openDesk(directory)
    expect(again.simulator.digest()).toBe(digest)
    await again.close()
  })

  it.each(['a large log that is deleted', 'the long part of one that is cut'])(
    'gives back the space of %s',
    async (of) => {
      const directory = await folderOf()
      const store = openStore({ directory, warn: () => undefined })
      const [id, epoch] = ['world_2', 1]
      const files = Array.from({ length: 6 }, () => randomBytes(6 * 2 ** 20).toString('base64'))
      for (const [index, file] of [...files, { type: 'start' }].entries())
        await store.append({ id, epoch, sequence: index + 1, entries: JSON.stringify([file]) })
      if (of.includes('cut')) await store.cut(id, epoch, files.length + 1)
      else await store.remove(id, 'key')
      await store.close()
      const folder = join(directory, 'worlds')
      const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
      expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(2 ** 20)
      const left = openStore({ directory, warn: () => undefined })
      const batches: string[] = []
      for await (const batch of (await left.read(id)).batches()) batches.push(batch)
      expect(batches).toEqual(of.includes('cut') ? ['[{"type":"start"}]'] : [])
      await left.close()
    },
  )

  it('reports missing entries and reads the rest', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    for (let round = 0; round < 5; round++) await describe(server, `number ${round}`)
    await server.close()
    const worlds = join(directory, 'worlds')
    const log = readdirSync(worlds).find((name) => name.endsWith('.log')) as string
    const whole = readFileSync(join(worlds, log))
    truncateSync(join(worlds, log), whole.length - 100)
    const shorter = await openDesk(directory)
    expect(shorter.warnings.join('\n')).toMatch(
      /ends with commit \d+, but \d+ were written: the last \d+ are missing/,
    )
    expect((await descriptionOf(shorter)).description).toMatch(/^number/)
    await shorter.close()
  })

  it('is for its user only, also in a folder that was there before', async () => {
    const directory = await folderOf()
    mkdirSync(join(directory, 'shared'), { mode: 0o755 })
    for (const [folder, ...within] of [['new'], ['shared', 'worlds']]) {
      const server = await openDesk(join(directory, folder as string))
      expect(await describe(server, 'kept')).toBe(200)
      const modeOf = (...path: string[]) => statSync(join(directory, folder as string, ...path)).mode & 0o777
      expect([modeOf(...within), modeOf('last-commit'), modeOf('owner.json')]).toEqual([0o700, 0o600, 0o600])
      await server.close()
    }
  })

  it('counts commits again after its count was overwritten', async () => {
    const directory = await folderOf()
    await (await openDesk(directory)).close()
    writeFileSync(join(directory, 'last-commit'), 'no number')
    const server = await openDesk(directory)
    expect(await describe(server, 'kept')).toBe(200)
    await server.close()
    expect(Number(readFileSync(join(directory, 'last-commit'), 'utf8').slice(0, 15))).toBeGreaterThan(0)
  })
})
