import { createSimulator } from 'agent-mailbox-sim'
import { startServer } from 'agent-mailbox-sim/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programInProcess } from './cli/in-process.js'

// Mistakes people make, and what the answer has to name: the place, the cause, the remedy.

/** What no answer may have: a library's marks, a stack trace, a page, words of JavaScript. */
const foreign = /✖|→ at|^ +at |<html|\[object Object\]|Cannot read properties|is not a function|undefined is/m

/** Asserts that an answer has these words, which bars separate: the place, the cause and the remedy. */
function expectAnswer(text: string, named: string): void {
  for (const words of named.split(' | ')) expect(text).toContain(words)
  expect(text).not.toMatch(foreign)
}

describe('on the command line', () => {
  const mistakes: readonly [line: string, named: string][] = [
    ['--state-sync always', '--state-sync | needs | --state-dir'],
    ['--state-dir a --state redis://b', '--state-dir and --state | exclude each other | use one of them'],
    ['replay', 'replay | needs a scenario | npx agent-mailbox-sim replay refund-request -- '],
    ['replay refund-request npm test', 'replay | takes one scenario | replay refund-request -- npm test'],
    ['replay refund-request --grace soon', "--grace | 'soon' is invalid | 30s, 5m or 1h"],
    ['explore npm test', 'explore | takes one scenario | npx agent-mailbox-sim explore -- npm test'],
    ['explore', 'explore | needs a command | after --'],
    ['fuzz refund-request', 'fuzz | needs a command | after --'],
    ['fuzz --vary mial -- true', '--vary | "mial" | readings, faults, mail'],
    ['readings show threads.totl', 'threads.totl | no gap | threads.total'],
    ['scenarios chek a.yaml', "scenarios | 'chek' | Did you mean npx agent-mailbox-sim scenarios check"],
    ['scenarios new story.txt', 'story.txt | ends in .txt | .yaml, .json or .ts'],
    ['receive support --url http://127.0.0.1:1', 'http://127.0.0.1:1 | No simulator answers | serve'],
    ['completion tcsh', "'shell' | 'tcsh' is invalid | bash, zsh, fish"],
    ['--start yesterday', "--start | 'yesterday' is invalid | now, scenario, or an instant"],
    ['--state-reset', '--state-reset | needs | --state-dir'],
    ['--state ftp://x', '--state ftp://x | a state is at a URL | redis://'],
    ['--extend nowhere.ts', 'nowhere.ts | there is no such file | ./operations.ts, or common'],
    ['--allow-files nowhere', "--allow-files | 'nowhere' is invalid | no such folder"],
    ['--delivery-format colour=red', "--delivery-format | 'colour=red' is invalid | signature_header"],
    ['--allow-delivery-to http://x/', '"http://x/" | not a valid delivery target | hooks.example.com:8080'],
    ['--readings nowhere.yaml', '--readings | no file of readings "nowhere.yaml" | worst-case'],
    ['replay refund-request --reporter xml -- true', "--reporter | 'xml' is invalid | human, json"],
    ['replay refund-request --env NAME -- true', "--env | 'NAME' is invalid | MAIL_URL={base_url}"],
    ['replay refund-request --compare no.jsonl -- true', 'no.jsonl | no such file | --record'],
    ['explore --gaps threads.totl -- true', 'threads.totl | no gap | did you mean "threads.total"'],
    ['explore --jobs 0 -- true', "--jobs | '0' is invalid | 1 to 999"],
    ['fuzz --time 5 -- true', "--time | '5' is invalid | 30s, 5m or 1h"],
    ['calibrate --base-url mail.example --api-key-env A', "--base-url | 'mail.example' | https://"],
    ['readings profile worst', '"worst" | no profile | did you mean "worst-case"'],
    ['receive support --eml nowhere.eml', '--eml | nowhere.eml | no such file'],
    [
      'replay refund-request --out report.doc -- true',
      '--out report.doc | ends in .doc | .json (json), .xml',
    ],
    ['fuzz --out report.doc -- true', '--out report.doc | ends in .doc | --reporter'],
    ['receive', "missing required argument | 'agent' | npx agent-mailbox-sim receive --help"],
    ['scenarios check', "missing required argument | 'file' | npx agent-mailbox-sim scenarios check --help"],
    ['state list', 'Name the state | --state-dir FOLDER | --state redis://HOST'],
    ['state list --state-dir nowhere', 'nowhere | no folder | serve --state-dir'],
    [
      'calibrate --base-url https://a.example --api-key-env NONE',
      '--api-key-env NONE | environment variable NONE is missing | export NONE=',
    ],
    ['openapi --reading x', "--reading | 'x' is invalid | threads.total=page-size"],
  ]

  it.each(mistakes)('%s', async (line, named) => {
    const { status, stdout, stderr } = await programInProcess()(...line.split(' ')).outcome
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expectAnswer(stderr, named)
  })
})

describe('over HTTP', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer({
      scenario: 'refund-request',
      clock: 'frozen',
      port: 0,
      onUndocumented: () => undefined,
    })
  })
  afterAll(() => server.close())

  const mistakes: readonly [request: string, body: object | string | undefined, named: string][] = [
    ['POST /_sim/messages', { to: 'suport' }, 'message | "suport" | the agents are support'],
    [
      'POST /_sim/messages',
      { to: 'support', subjct: 'Hi' },
      'body | unknown key "subjct" | did you mean "subject"',
    ],
    ['POST /_sim/messages', { to: 'support', text: 5 }, 'text: | expected string | received number'],
    ['POST /_sim/messages', '{"to": ', 'JSON | body | not'],
    ['POST /_sim/clock', { advnce: '5m' }, 'body | unknown key "advnce" | did you mean "advance"'],
    ['POST /_sim/clock', { advance: 'soon' }, 'soon | is not a duration | 30s, 5m'],
    ['POST /_sim/clock', { to: '2020-01-01T00:00:00Z' }, '2020 | only goes forward | it is already 2026'],
    [
      'POST /_sim/faults',
      { operation: 'thread.list', status: 503 },
      'thread.list | no operation | threads.list',
    ],
    ['POST /_sim/faults', { operation: 'threads.list', stats: 503 }, 'body | unknown key "stats" | "status"'],
    ['POST /_sim/identities', { handel: 'eva' }, 'body | unknown key "handel" | "handle"'],
    [
      'POST /_sim/webhooks',
      { url: 'http://127.0.0.1/', events: ['message.recieved'] },
      'events[0] | expected one of | message.received',
    ],
    ['PATCH /_sim/readings', { 'threads.totl': 'page-size' }, 'threads.totl | no gap | threads.total'],
    ['POST /_sim/worlds', { scenario: 'suport-desk' }, 'suport-desk | no scenario | support-desk'],
    ['GET /_sim/helth', undefined, '/_sim/helth | no | /_sim/health'],
    ['GET /_sim/reset', undefined, 'GET | /_sim/reset | POST'],
    ['GET /api/v1/mail/thread', undefined, 'error | code | message'],
    ['POST /_sim/clock', { to: 'yesterday' }, '"yesterday" | not an ISO 8601 instant | 2026-01-05T'],
    [
      'POST /_sim/webhooks',
      { url: 'http://a.test/', events: ['message.recieved'] },
      'events[0] | expected | did you mean "message.received"',
    ],
    [
      'GET /_sim/journal?operation=threads.lst',
      undefined,
      'operation | threads.lst | did you mean "threads.list"?',
    ],
    ['GET /_sim/events?type=mail', undefined, '"type" | no query parameter | types'],
    ['PUT /_sim/readings', {}, '/_sim/readings | not PUT | takes GET and PATCH'],
    ['DELETE /_sim/worlds/world_1', undefined, 'first world | cannot be deleted | POST /_sim/reset'],
    ['GET /_sim/threads/thrd_none', undefined, 'thread | "thrd_none" | GET /_sim/threads'],
    ['GET /_sim/threads/msg_none', undefined, '"msg_none" | the id of a message | GET /_sim/threads'],
    ['POST /_sim/threads/none/read', undefined, 'thread | "none" | GET /_sim/threads'],
    [
      'GET /_sim/messages/thrd_none/raw',
      undefined,
      '"thrd_none" | the id of a thread | GET /_sim/threads/{id}',
    ],
    ['DELETE /_sim/webhooks/whk_none', undefined, 'webhook | "whk_none" | GET /_sim/webhooks'],
    ['DELETE /_sim/identities/suport', undefined, 'agent | "suport" | did you mean "support"'],
    ['POST /_sim/deliveries/dlv_none/redeliver', {}, 'delivery | "dlv_none" | GET /_sim/deliveries'],
    ['POST /_sim/clock', { advance: 5 }, 'advance: | expected a duration | 5m'],
    [
      'POST /_sim/messages',
      { to: 'support', attachments: [{ filename: 'a', content: '%%' }] },
      'attachments[0].content | expected | base64',
    ],
    ['GET /_sim/timelin', undefined, '/_sim/timelin | has no | did you mean "/_sim/timeline"'],
  ]

  it.each(mistakes)('%s %j', async (request, body, named) => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('content-type')).toContain('json')
    const { error } = JSON.parse(await answer.text())
    expectAnswer(`${JSON.stringify(Object.keys({ error }))} ${Object.keys(error)} ${error.message}`, named)
  })
})

describe('in code', () => {
  type Sim = Awaited<ReturnType<typeof createSimulator>>
  let sim: Sim
  beforeAll(async () => {
    sim = await createSimulator({ scenario: 'refund-request' })
  })

  // Written as JavaScript has it: no compiler helps.
  const mistakes: readonly [code: string, act: (sim: Sim) => unknown, named: string][] = [
    [
      'createSimulator({ clock: "slow" })',
      () => createSimulator({ clock: 'slow' as never }),
      'clock | "slow" | real, frozen',
    ],
    ['mail.receive({ to })', (s) => s.mail.receive({ to: 'suport' }), 'agent | "suport" | support'],
    [
      'mail.receive({ from })',
      (s) => s.mail.receive({ to: 'support', from: 'Ann' }),
      'from | "Ann" | Ann <ann@example.com>',
    ],
    [
      'mail.receive()',
      (s) => s.mail.receive(undefined as never),
      'mail.receive | not undefined | an object with',
    ],
    [
      'faults.add({ operation })',
      (s) => s.faults.add({ operation: 'threads.lst' as never, status: 503 }),
      'threads.lst | no operation | "threads.list"',
    ],
    [
      'readings.set',
      (s) => s.readings.set({ 'threads.total': 'page-sze' } as never),
      'threads.total | "page-sze" | "page-size"',
    ],
    [
      'readings.set(profile)',
      (s) => s.readings.set('worst-case' as never),
      "readings.set | takes an object | { 'threads.total': 'page-size' }",
    ],
    [
      'createSimulator({ seed: -1 })',
      () => createSimulator({ seed: -1 }),
      'createSimulator: seed | -1 | a whole number from 0',
    ],
    ['clock.advance', (s) => s.clock.advance('5 mins'), '"5 mins" | is not a duration | 30s, 5m'],
    ['clock.advance', (s) => s.clock.advance(Number.NaN), '"NaN" | is not a duration | 30s, 5m'],
    ['restore(text)', (s) => s.restore('{}'), 'the document | it is a string | JSON.parse'],
    [
      'threads.list({ agent })',
      (s) => s.threads.list({ agent: 'suport' }),
      '"suport" | no agent | "support"',
    ],
    [
      'mail.send({ to: [] })',
      (s) => s.mail.send({ from: 'support', to: [] }),
      'to | expected | at least one entry',
    ],
    [
      'createSimulator({ scenario: null })',
      () => createSimulator({ scenario: null as never }),
      'scenario | not null | a string',
    ],
    [
      'createSimulator({ baseUrl })',
      () => createSimulator({ baseUrl: 'mail.test' }),
      'baseUrl | "mail.test" | http://mailbox.test',
    ],
    ['startServer({ port })', () => startServer({ port: 99_999 }), 'port | 99999 | 0 (a free one) to 65535'],
    [
      'clock.advanceTo',
      (s) => s.clock.advanceTo('tomorrow'),
      '"tomorrow" | not an ISO 8601 instant | 2026-01-05T',
    ],
    [
      'threads.markRead(message)',
      (s) => s.threads.markRead('msg_none'),
      'thread "msg_none" | the id of a message | sim.threads.list()',
    ],
    ['deliveries.get', (s) => s.deliveries.get('dlv_none'), 'delivery | "dlv_none" | sim.deliveries.list()'],
  ]

  it.each(mistakes)('%s', async (_, act, named) => {
    const error = await Promise.resolve()
      .then(() => act(sim))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(Error)
    expectAnswer((error as Error).message, named)
  })
})
