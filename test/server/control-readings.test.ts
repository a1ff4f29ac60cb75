import { describe, expect, it, vi } from 'vitest'
import { defaultReadings, gapIds } from '../../src/contract/gaps.js'
import { authorized, serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

type Server = Awaited<ReturnType<typeof serveDesk>>

const json = { 'content-type': 'application/json' }
const change = { 'threads.total': 'all-threads', 'threads.unscoped': 'empty' }

const patch = ({ controlUrl }: Server, body: string, headers: Record<string, string> = json) =>
  fetch(`${controlUrl}/readings`, { method: 'PATCH', headers, body })

const threads = async ({ url }: Server) =>
  (await fetch(`${url}/api/v1/mail/threads`, { headers: authorized })).json()

const errorOf = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toBe('application/json')
  return (await answer.json()).error
}

describe('GET /_sim/readings', () => {
  it('has the reading of every gap, and who chose it', async () => {
    const server = await serveDesk({
      readings: [{ from: '--reading', input: { 'threads.total': 'page-size' } }],
    })
    const answer = await fetch(`${server.controlUrl}/readings`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const fromDefault = Object.fromEntries(gapIds.map((gap) => [gap, 'default']))
    expect(await answer.json()).toMatchObject({
      readings: { ...defaultReadings, 'threads.total': 'page-size' },
      origins: { ...fromDefault, 'threads.total': '--reading' },
    })
  })
})

describe('PATCH /_sim/readings', () => {
  it('changes some, which the next answers show', async () => {
    const server = await serveDesk()
    const { threads: before } = await threads(server)
    expect(before).toHaveLength(1)
    const answer = await patch(server, JSON.stringify(change))
    expect(answer.status).toBe(200)
    const shown = await answer.json()
    expect(shown.readings).toEqual({ ...defaultReadings, ...change })
    expect(shown.origins).toMatchObject({
      'threads.total': 'set while running',
      'threads.unscoped': 'set while running',
      'threads.order': 'default',
    })
    expect(shown).toEqual(await (await fetch(`${server.controlUrl}/readings`)).json())
    expect(await threads(server)).toEqual({ threads: [], total: 1 })
  })

  it('changes nothing with an empty object', async () => {
    const server = await serveDesk()
    const answer = await patch(server, '{}', { 'content-type': 'Application/JSON; charset=utf-8' })
    expect([answer.status, (await answer.json()).readings]).toEqual([200, defaultReadings])
  })

  const wish = JSON.stringify(change)
  it.each([
    ['{"threads.totl": "page-size"}', 'unknown_gap', /did you mean "threads\.total"\?/],
    [
      '{"threads.total": "all-thread"}',
      'unknown_reading',
      /did you mean "all-threads"\?.*all-matches, page-size/,
    ],
    [`{"threads.unscoped": "empty", "weather": "fine"}`, 'unknown_gap', /no gap "weather"/],
    ['{"__proto__": "empty"}', 'unknown_gap', /no gap "__proto__"/],
    ['{"constructor": "empty"}', 'unknown_gap', /no gap "constructor"/],
    ['{"auth.missing-status": 403}', 'invalid_body', /"auth\.missing-status" must be a string/],
    [
      '{"threads.unscoped": "empty", "threads.total": null}',
      'invalid_body',
      /"threads\.total" must be a string/,
    ],
    ['[]', 'invalid_body', /JSON object/],
    ['"worst-case"', 'invalid_body', /JSON object/],
    ['null', 'invalid_body', /JSON object/],
    ['', 'invalid_json', /not JSON/],
    [wish.slice(0, -1), 'invalid_json', /not JSON/],
    ['\u{feff}', 'invalid_json', /not JSON/],
  ])('refuses %j and leaves everything as it was', async (body, code, message) => {
    const server = await serveDesk()
    const before = await threads(server)
    const answer = await patch(server, body)
    expect(answer.status).toBe(400)
    expect(await errorOf(answer)).toEqual({ code, message: expect.stringMatching(message) })
    expect(server.simulator.readings.current()).toEqual(defaultReadings)
    expect(await threads(server)).toEqual(before)
  })

  it('takes a body of 64 kB and no larger one', async () => {
    const server = await serveDesk()
    const large = await patch(server, wish.padEnd(65_537))
    expect([large.status, (await errorOf(large)).code]).toEqual([413, 'content_too_large'])
    expect(server.simulator.readings.current()).toEqual(defaultReadings)
    expect((await patch(server, wish.padEnd(65_536))).status).toBe(200)
    expect(server.simulator.readings.current()).toEqual({ ...defaultReadings, ...change })
  })

  it('answers a body that is cut off', async () => {
    const onDefect = vi.fn()
    const server = await serveDesk({ onDefect })
    const socket = await openSocket(server.url)
    const answers = readAnswers(socket)
    socket.end(requestText('PATCH /_sim/readings', { ...json, 'content-length': '99' }, wish))
    expect((await answers).map(({ status }) => status)).toEqual([400])
    expect((await fetch(`${server.controlUrl}/readings`)).status).toBe(200)
    expect(onDefect).not.toHaveBeenCalled()
    expect(server.simulator.readings.current()).toEqual(defaultReadings)
  })
})
