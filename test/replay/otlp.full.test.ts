import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { Span } from '../../src/runs/otlp/otlp.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { tracesSchema } from './otlp-schema.js'
import { story } from './story.js'

const program = useProgram()

const agent = fileURLToPath(new URL('traced-agent.mjs', import.meta.url))

/** Starts a receiver of traces; returns its address, and what it got. */
async function startReceiver(answer = '{}') {
  const got: { path: string | undefined; type: string | undefined; key: unknown; spans: Span[] }[] = []
  const server = createServer(async (request, response) => {
    const { url: path, headers } = request
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const key = headers['x-key']
    got.push({ path, type: headers['content-type'], key, spans: spansIn(Buffer.concat(pieces).toString()) })
    response.setHeader('content-type', 'application/json').end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got }
}

/** Returns the spans of a message, which must be one of the protocol. */
function spansIn(text: string): Span[] {
  const { resourceSpans } = tracesSchema.parse(JSON.parse(text))
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)) as Span[]
}

function attributesOf({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[kind, content] = []] = Object.entries(value)
      return [key, kind === 'intValue' ? Number(content) : content]
    }),
  )
}

const identities = [
  { handle: 'support', mailbox_address: 'support@shop.example', display_name: 'Support', threads: [] },
]

const traced = story({
  extend: 'common',
  identities,
  webhooks: [{ url: 'http://127.0.0.1:8787/', events: ['message.received'] }],
  timeline: [{ after: '0s', fault: { operation: 'threads.list', status: 503, times: 1 } }],

  expect: [{ key: 'asks', request: 'threads.list', at_least: 9 }],
} as never)

it('sends a trace in which requests, calls of tools and deliveries have the parents that the agent named', async () => {
  const path = await useFolder()
  await writeFile(path('story.json'), JSON.stringify(traced))
  const { url, got } = await startReceiver()
  const env = ['--env', `SEEN=${path('seen')}`, '--env', 'PORT={port:8787}']
  const start = program.with({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=one%20two' })
  const { status, stderr } = await start(
    ...['replay', path('story.json'), '--otlp', url, ...env, '--', process.execPath, agent],
  ).outcome
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.not.stringContaining('note: --otlp') })
  expect(got).toMatchObject([{ path: '/v1/traces', type: 'application/json', key: 'one two' }])
  const spans = got[0]?.spans ?? []
  const shown = spans.map((span) => ({ ...span, attributes: attributesOf(span) }))
  const named = (name: string) => shown.filter((span) => span.name === name)
  const [play] = named('replay question')
  expect(play).toMatchObject({ kind: 1, attributes: { 'mailbox.verdict': 'failed' }, status: { code: 2 } })
  expect(play?.events?.map(attributesOf)).toMatchObject([
    { 'gen_ai.evaluation.name': 'asks', 'gen_ai.evaluation.score.label': 'failed' },
  ])

  const traceId = 'a1'.repeat(16)
  const [failed, other] = named('GET /api/v1/mail/threads')
  expect(failed).toMatchObject({
    ...{ traceId, parentSpanId: 'b1'.repeat(8), kind: 2, status: { code: 2 } },
    links: [{ traceId: play?.traceId, spanId: play?.spanId }],
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 503,
      'error.type': '503',
      'url.query': 'agent=support&api_key=***',
      'mailbox.operation': 'threads.list',
      'mailbox.exchange': 1,
      'mailbox.fault': expect.stringContaining('503'),
      'mailbox.story_time': '2026-01-05T09:00:00.000Z',
      'mailbox.verdict': 'failed',
    },
  })
  // What is no trace begins none: the request belongs to the play.
  expect(other).toMatchObject({ traceId: play?.traceId, parentSpanId: play?.spanId })
  const [sent] = named('tools/call messages_send')
  expect(sent).toMatchObject({
    ...{ traceId, parentSpanId: 'c1'.repeat(8), kind: 2 },
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'messages_send',
      'mailbox.gaps': expect.anything(),
    },
  })
  expect(named('tools/call identities_get')).toMatchObject([
    { traceId, parentSpanId: 'd1'.repeat(8), attributes: { 'error.type': 'tool_error' } },
  ])
  expect(named('POST')).toMatchObject([
    {
      ...{ traceId, parentSpanId: sent?.spanId, kind: 3 },
      attributes: { 'http.response.status_code': 200, 'mailbox.event': 'message.received' },
    },
  ])
  expect(await readFile(path('seen'), 'utf8')).toBe(`00-${traceId}-${'c1'.repeat(8)}-01`)
  for (const { startTimeUnixNano, endTimeUnixNano, spanId } of spans) {
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
    expect(spans.filter((span) => span.spanId === spanId)).toHaveLength(1)
    // Wall time, not that of the story.
    expect(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(300_000)
  }
})

it('writes the trials to a file, and says what a receiver did not take', async () => {
  const path = await useFolder()
  await writeFile(path('story.json'), JSON.stringify(story({ expect: [] })))
  const asks = `curl -s -H "authorization: Bearer $MAILBOX_API_KEY" "$MAILBOX_BASE_URL/api/v1/mail/threads?agent=support" > /dev/null`
  const replay = (target: string, ...flags: readonly string[]) =>
    program('replay', path('story.json'), '--otlp', target, ...flags, '--', 'sh', '-c', asks).outcome
  await replay(path('spans.jsonl'), '--trials', '2')
  const lines = (await readFile(path('spans.jsonl'), 'utf8')).trim().split('\n')
  const plays = lines.map((line) => spansIn(line).map(attributesOf))
  expect(plays.map(([play]) => play?.['mailbox.trial'])).toEqual([1, 2])
  expect(new Set(lines.flatMap((line) => spansIn(line).map(({ traceId }) => traceId))).size).toBe(2)

  const [picky, gone] = [
    await startReceiver('{"partialSuccess":{"rejectedSpans":"1"}}'),
    'http://127.0.0.1:2/x',
  ]
  const rejected = await replay(`${picky.url}/traces`)
  expect(rejected).toMatchObject({ status: 0, stderr: expect.stringContaining('1 of 2 spans did not reach') })
  expect(picky.got).toMatchObject([{ path: '/traces' }])
  const lost = await replay(gone)
  expect(lost.status).toBe(0)
  expect(lost.stderr).toContain('2 of 2 spans did not reach 127.0.0.1:2/x: connect ECONNREFUSED')
  const refused = await replay(path('spans/'))
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--otlp') })
})
