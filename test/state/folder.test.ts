import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineExtension } from 'agent-mailbox-sim'
import type { RunningServer, ServerOptions } from 'agent-mailbox-sim/server'
import { expect, it, describe as suite, vi } from 'vitest'
import { openServer } from '../../src/doors/server/start-server.js'
import { openState } from '../../src/doors/state/logged-worlds.js'
import type { ClockMode } from '../../src/service/time/time.js'
import { ask } from '../server/control-client.js'
import { follow } from '../server/event-stream.js'
import { openSocket, readAnswers, requestText } from '../server/raw-request.js'
import { followFakeTimers } from '../support/fake-timers.js'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf, desk, openDesk } from './open-desk.js'
import { freePort } from './programs.js'

followFakeTimers()

suite('serve --state with a folder', () => {
  it('answers a request that arrives while the state is read', async () => {
    const state = openState({ place: await folderOf(), warn: () => undefined })
    const port = await freePort()
    const attach = state.attach.bind(state)
    let early: ReturnType<typeof descriptionOf> | undefined
    state.attach = async (kept) => {
      early = descriptionOf({ url: `http://127.0.0.1:${port}` })
      // When this is answered, all earlier requests are answered or dropped.
      await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(50) }).catch(() => undefined)
      await attach(kept)
    }
    const server = await openServer({ scenario: desk, port, clock: 'frozen', state })
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
    await expect(openDesk(directory, { seed: 5 })).rejects.toThrow(
      /--seed 4, but this start has 5\. .*--state-reset/,
    )
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
      /^<state> was created with extensions that define .*threads\.get.*, but this start lacks them\./,
    )
    const chosen = [...first.assume, { from: '--assume', input: { 'threads.total': 'all-matches' } }]
    expect(await refusal({ assume: chosen })).toBe(
      '<state> was created with --assume threads.total as page-size, but this start has all-matches. ' +
        `Start with the former, ${remedy}`,
    )
    expect(await refusal({ assume: 'default' })).toMatch(/ --assume [\w.]+ as [\w-]+, but /)
    expect(await refusal({ clock: '10x' })).toBe(
      `<state> was created with --clock frozen, but this start has 10x. Start with the former, ${remedy}`,
    )
    // A further extension is as good as one from the beginning.
    const more = defineExtension(({ operation }) => [
      operation({ id: 'plans.get', method: 'GET', path: '/api/v1/plan', perform: () => ({}) }),
    ])
    await (await openDesk(directory, { ...first, extend: ['common', more] })).close()
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
          expect(status).toBeOneOf([200, 401])
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
    expect(readdirSync(directory).sort()).toEqual(['world_1.jsonl', 'worlds.json'])
  })

  it('deletes nothing for a start with --state-reset that fails', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    await describe(server, 'kept')
    await server.close()
    const taken = await openServer({ scenario: desk, port: 0 })
    const failing: ServerOptions[] = [
      { scenario: './no-such-story.yaml' },
      { scenario: desk, assume: 'worst-cas' },
      { scenario: desk, port: Number(new URL(taken.url).port) },
    ]
    for (const options of failing) {
      const state = openState({ place: directory, reset: true, warn: () => undefined })
      await expect(openServer({ port: 0, clock: 'frozen', state, ...options })).rejects.toThrow()
    }
    await taken.close()
    const again = await openDesk(directory)
    expect((await descriptionOf(again)).description).toBe('kept')
    await again.close()
  })

  it('explains why a folder cannot be created or used', async () => {
    const folder = await folderOf({ file: '' })
    const refused = (path: string) => expect(openDesk(path)).rejects
    const remedy = /Let this user write there, make room, or name another folder\./
    await refused(`${folder}/file`).toThrow(/file cannot be used: E(EXIST|NOTDIR).*\. Let this user/)
    await refused(`${folder}/file/in`).toThrow(remedy)
    if (existsSync('/proc/self')) await refused('/proc/state').toThrow(/ENOENT/)
    if (existsSync('/sys/kernel')) await refused('/sys').toThrow(/\/sys cannot be used: E(ACCES|ROFS|PERM)/)
  })

  it('refuses a scenario of the same name with other contents', async () => {
    const directory = await folderOf()
    await (await openDesk(directory)).close()
    const state = openState({ place: directory, warn: () => undefined })
    const scenario = { ...desk, identities: [{ handle: 'eva' }] }
    await expect(openServer({ scenario, port: 0, clock: 'frozen', state })).rejects.toThrow(
      /created with the fingerprint of its scenario .*--state-reset/,
    )
  })

  it('continues a real clock that was set back meanwhile', async () => {
    const directory = await folderOf()
    const begin = new Date('2026-03-01T12:00:00Z')
    try {
      const seen: string[] = []
      for (const days of [0, -1, 1]) {
        vi.useFakeTimers({ toFake: ['Date'], now: begin.getTime() + days * 86_400_000 })
        const state = openState({ place: directory, warn: () => undefined })
        const server = await openServer({ scenario: desk, port: 0, clock: 'real', state })
        expect(await describe(server, `day ${days}`)).toBe(200)
        // The time of the acknowledged change; no log has a later one.
        seen.push(server.simulator.identities.get('eva').updated_at)
        expect(await descriptionOf(server)).toMatchObject({ description: `day ${days}` })
        // It stays ahead of the machine's.
        if (days === 0) await ask(server, 'POST', '/clock', { body: { advance: '90m' } })
        await server.close()
      }
      expect(seen).toEqual([...seen].sort())
      expect(seen[2]).toMatch(/^2026-03-02T13:/)
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on with a story over restarts as long as its clock has run', async () => {
    const begin = new Date('2026-03-01T12:00:00Z').getTime()
    const open = async (directory: string, clock: ClockMode) => {
      const state = openState({ place: directory, warn: () => undefined })
      return openServer({ scenario: desk, port: 0, clock, state })
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

  it('changes nothing in a folder before it is attached', async () => {
    const directory = await folderOf()
    const state = openState({ place: directory, warn: () => undefined })
    expect(await state.recordedStart()).toBeUndefined()
    await state.close()
    expect(readdirSync(directory)).toEqual([])
  })

  it('replaces a long log by the present state', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    for (let round = 0; round < 20; round++)
      expect(await describe(server, `${round} ${'x'.repeat(9000)}`)).toBe(200)
    const digest = server.simulator.digest()
    await server.close()
    expect(statSync(join(directory, 'world_1.jsonl')).size).toBeLessThan(80_000)
    const again = await openDesk(directory)
    expect(again.simulator.digest()).toBe(digest)
    await again.close()
  })

  it('ignores a last line that was not written to its end, and goes on after the one before', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    for (let round = 0; round < 5; round++) await describe(server, `number ${round}`)
    await server.close()
    const path = join(directory, 'world_1.jsonl')
    truncateSync(path, statSync(path).size - 10)
    const shorter = await openDesk(directory)
    expect((await descriptionOf(shorter)).description).toBe('number 3')
    expect(await describe(shorter, 'anew')).toBe(200)
    const { body: fork } = await ask(shorter, 'POST', '/worlds', { body: {} })
    await shorter.close()
    const again = await openDesk(directory)
    expect((await descriptionOf(again)).description).toBe('anew')
    expect((await descriptionOf(again, fork.api_key)).status).toBe(200)
    expect(again.warnings).toEqual([])
    await again.close()
  })

  it('is for its user only', async () => {
    const directory = join(await folderOf(), 'new')
    const server = await openDesk(directory)
    expect(await describe(server, 'kept')).toBe(200)
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600, 0o600])
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    await server.close()
  })
})

suite('the lock of a folder', () => {
  it.each([
    ['of a process that has ended', { pid: 2 ** 22 + 1, started: '1' }],
    [
      'of an earlier process with the same number, as in a restarted container',
      { pid: process.pid, started: '1' },
    ],
    ['that was not written to its end', undefined],
  ])('is no obstacle if it is one %s', async (_, mark) => {
    const directory = await folderOf({ lock: mark ? JSON.stringify(mark) : '' })
    const server = await openDesk(directory)
    expect(await describe(server, 'written')).toBe(200)
    await server.close()
    expect(readdirSync(directory)).not.toContain('lock')
  })

  it('that another process has taken ends the writing of the first', async () => {
    const directory = await folderOf()
    const server = await openDesk(directory)
    await describe(server, 'first')
    const other = JSON.stringify({ pid: 1, started: 'elsewhere' })
    writeFileSync(join(directory, 'lock'), other)
    const answer = await descriptionOf(server)
    expect(answer.status).toBe(200)
    expect(await describe(server, 'late')).toBe(503)
    expect((await descriptionOf(server)).status).toBe(503)
    const { status, body } = await ask(server, 'POST', '/faults', { body: { status: 500 } })
    expect([status, body.error.code]).toEqual([503, 'state_moved'])
    await server.close()
    expect(readFileSync(join(directory, 'lock'), 'utf8')).toBe(other)
    expect(readFileSync(join(directory, 'world_1.jsonl'), 'utf8')).not.toContain('late')
  })
})

it('names the package that --state redis:// needs, and why it could not be loaded', async () => {
  vi.resetModules()
  vi.doMock('redis', () => {
    throw new Error('it is broken')
  })
  const { openState: open } = await import('../../src/doors/state/logged-worlds.js')
  const state = open({ place: 'redis://127.0.0.1:1', warn: () => undefined })
  await expect(openServer({ scenario: desk, port: 0, state })).rejects.toThrow(
    /^--state redis:\/\/ needs the package redis \(npm install redis\), which could not be loaded: \S/,
  )
  vi.doUnmock('redis')
})
