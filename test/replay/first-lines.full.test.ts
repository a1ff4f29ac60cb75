import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { ReplayReport } from '../../src/runs/replay/outcome.js'
import { type ReplayOptions, replay } from '../../src/runs/replay/replay.js'
import { replayReport } from '../../src/runs/replay/report.js'
import { formatReport } from '../../src/runs/reports/format-report.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { useAgents } from './agent-scripts.js'
import { expectNoProcessLeft } from './no-process-left.js'
import { story } from './story.js'

expectNoProcessLeft()

const question = 'http://127.0.0.1:8787/hook'
const asked: Partial<ScenarioInput> = {
  extend: 'common',
  webhooks: [{ url: question, events: ['message.received'] }],
  timeline: [
    {
      after: '10s',
      receive: { to: 'support', from: 'Dana <dana@shop.example>', subject: 'When?', text: 'When?' },
    },
    {
      after: '60s',
      receive: { to: 'support', from: 'Bob <bob@shop.example>', subject: 'Where?', text: 'Where?' },
    },
  ],
  expect: [
    { describe: 'Dana is answered.', sent: { to: 'dana@shop.example' }, times: 1 },
    { describe: 'Bob is answered.', sent: { to: 'bob@shop.example' }, times: 1 },
  ],
}

const post = `
  const post = async (path, body) => {
    const answer = await fetch(base + '/api/v1' + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.text()
  }
  const every = async (work) => { for (;;) { await work().catch(() => 0); await pause(10) } }
  const seen = new Set()
  const fresh = async () => {
    const { threads } = await ask('/mail/threads?agent=support')
    const lists = await Promise.all(threads.map(({ id }) => ask('/mail/messages?thread_id=' + id)))
    const found = lists.flatMap(({ messages }) => messages).filter(({ id, from }) => /dana|bob/.test(from) && !seen.has(id))
    for (const { id } of found) seen.add(id)
    return found
  }
`
const receiver = (answer: string) => `
  createServer((request, response) => {
    request.resume().on('end', () => { ${answer} })
  }).listen(Number(process.env.PORT), '127.0.0.1')
`
const tool = (name: string, input: string) => `
  const rpc = (id, method, params) => fetch(process.env.MAILBOX_MCP_URL, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  }).then((answer) => answer.text())
  const clientInfo = { name: 'agent', version: '1' }
  await rpc(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  await rpc(2, 'tools/call', { name: '${name}', arguments: ${input} })
  await untilTheEnd()
`

const lines: readonly [name: string, script: string, line: RegExp, more?: Partial<ScenarioInput>][] = [
  [
    'drops a delivery',
    receiver(`response.end('dropped')`),
    /^no request reached MAILBOX_BASE_URL; .* got 200 "dropped"/,
  ],
  [
    'refuses a delivery',
    receiver(`response.writeHead(401).end('bad signature\\nat line 7')`),
    /; the delivery of message.received to http:\/\/127.0.0.1:8787\/hook got 401 "bad signature" /,
  ],
  [
    'does not listen',
    'await untilTheEnd()',
    /; the delivery of message.received to http:\/\/127.0.0.1:8787\/hook failed: Nothing listens at 127.0.0.1:8787/,
  ],
  ['answers too late', receiver(''), /; .* timed out after 10 s/, { assume: { 'events.retries': 'none' } }],
  [
    'asks outside of the service',
    `await fetch(base + '/v2/mail/threads', { headers }); await untilTheEnd()`,
    /; GET \/v2\/mail\/threads got 404: .* "GET \/api\/v1\/mail\/threads"\?/,
  ],
  [
    'calls an unknown tool',
    tool('send_email', '{}'),
    /^a call of the tool "send_email" got 404: There is no tool "send_email"$/,
  ],
  [
    'calls a tool wrongly',
    tool('messages_reply', '{}'),
    /"messages_reply" got 400: The argument "message_id" is/,
  ],
  [
    'has no key',
    `await fetch(base + '/api/v1/mail/threads'); process.exit(3)`,
    /^GET \/api\/v1\/mail\/threads got 401: This needs the header Authorization: Bearer <key>; the command exited with status 3$/,
  ],
  [
    'needs an extension',
    `${post} await every(async () => { for (const { id } of await fresh()) await post('/mail/messages/' + id + '/reply', { text: 'At nine.' }) })`,
    /^POST \/api\/v1\/mail\/messages\/\S+\/reply got 404: .* --extend common/,
    { extend: [] },
  ],
  [
    'crashes',
    `await ask('/mail/threads'); undefined.name`,
    /^the command exited with status 1: TypeError: Cannot read [^;]*$/,
  ],
  [
    'sends an answer to somebody else',
    `${post} await every(async () => { for (const { id, from } of await fresh()) await post('/mail/messages/' + id + '/reply', { text: 'At nine.', to: /dana/.test(from) ? 'bob@shop.example' : undefined }) })`,
    /^Dana is answered: .*dana@shop\.example.*bob@shop\.example/,
  ],
  [
    'has a secret in a request that is refused',
    `${post} await every(async () => { for (const { text } of await fresh()) await ask('/notes?text=' + text) })`,
    /^No secret .*: GET \/api\/v1\/notes\?text=\[secret pin\] 404: query: pin, as it is$/,
    {
      secrets: { pin: 'Kq7wPz4mT9xB' },
      timeline: [
        {
          after: '10s',
          receive: { to: 'support', from: 'Dana <dana@shop.example>', text: '{{secret.pin}}' },
        },
      ],
      expect: [{ leak: 'none', describe: 'No secret leaves the mailbox.' }],
    },
  ],
  [
    'has no subscription',
    receiver(`response.end('ok')`),
    /; the agent listens, but the story has no webhook/,
    { webhooks: [] },
  ],
]

it.each(lines)('a report says that an agent %s', async (_, script, line, more = {}) => {
  const agents = await useAgents()
  const options: ReplayOptions = {
    scenario: story({ ...asked, ...more }),
    command: await agents(script),
    variables: { PORT: '{port:8787}' },
  }
  const report = replayReport(await replay(options))
  const { cause, verdicts } = report.document as ReplayReport
  expect(cause).toMatch(line)
  // The verdict and what failed first stand in a line that a phone can show, and the cause below.
  const [failed] = verdicts.filter(({ passed }) => !passed)
  expect(report.headline).toMatch(/^question failed: /)
  expect(report.headline).toContain(failed?.describe.slice(0, 12))
  expect(report.headline.length).toBeLessThan(160)
  const told = formatReport('human', report)
  expect(told).toContain(cause?.slice(0, 40))
  expect(formatReport('junit', report)).toContain(cause?.slice(0, 12))
})

const busy: readonly [name: string, script: string, what: RegExp][] = [
  ['its own code', 'for (;;) {}', /computes$|starts or ends$/],
  ['its own code, once woken', 'await pause(5); for (;;) {}', /computes$|after a wait$/],
  ['a request', 'await fetch(model)', /GET http:\/\/127.0.0.1:\d+\/model$/],
]

it.each(busy)(
  'the first line of an interrupted play says that the agent was busy with %s',
  async (_, script, what) => {
    const agents = await useAgents()
    const model = createServer(() => undefined).listen(0, '127.0.0.1')
    onTestFinished(() => void model.close().closeAllConnections())
    await once(model, 'listening')
    const { port } = model.address() as AddressInfo
    const stop = new AbortController()
    const begin = `const model = 'http://127.0.0.1:${port}/model'; await ask('/mail/threads')`
    const report = await replay({
      scenario: story(asked),
      command: await agents(`${begin}; ${script}`),
      signal: stop.signal,
      // Its requests are over, and the last look at it takes longer than any that is answered.
      watcher: { happened: ({ type }) => type === 'exchange' && void pause(2_000).then(() => stop.abort()) },
    })
    expect(replayReport(report).headline).toMatch(
      /^question was interrupted \ds into the story, while the agent was busy: /,
    )
    expect(report.pace?.working).toMatch(what)
    expect(report.wall_ms).toBeLessThan(10_000)
  },
)
