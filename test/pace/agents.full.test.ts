import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSink, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ReplayOptions, replay, replayAndKeep } from '../../src/runs/replay/replay.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'

/** A stand-in for a model: it answers after `ms`, by `stream` with a first byte at once, and not the first `refuse` times. */
const model = createServer((request, response) => {
  const asked = new URL(request.url as string, 'http://model').searchParams
  const answer = (): void => void response.end('{}')
  request.resume().on('end', () => {
    if (refused++ < Number(asked.get('refuse'))) response.writeHead(429).end()
    else if (asked.has('stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n')
      setTimeout(answer, Number(asked.get('ms')))
    } else setTimeout(answer, Number(asked.get('ms')))
  })
})
let refused = 0

/** How this Node is told to refuse what it was not permitted. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

/** Somebody who takes everything, and never answers. */
const sink = createSink((socket) => sunk.add(socket.on('error', () => undefined).resume()))
const sunk = new Set<Socket>()

/** A queue that has no jobs, or a model that has no answer, and says so after a second; it greets first. */
const jobs = createSink((socket) => {
  sunk.add(socket.on('error', () => undefined))
  setTimeout(() => socket.write('hello\n'), 300)
  socket.on('data', () => setTimeout(() => socket.write('none\n'), 1_000))
})

beforeAll(() => Promise.all([model, sink, jobs].map((one) => once(one.listen(0, '127.0.0.1'), 'listening'))))
afterAll(() => {
  model.close()
  sink.close()
  jobs.close()
  for (const socket of sunk) socket.destroy()
})

const portOf = (server: typeof sink): number => (server.address() as AddressInfo).port
const modelUrl = (ms: number): string => `http://127.0.0.1:${portOf(model)}/?ms=${ms}`

function commandOf(line: string): string[] {
  const [file = '', ...args] = line.split(' ')
  return [
    file.endsWith('.py') ? 'python3' : process.execPath,
    join(import.meta.dirname, 'agents', file),
    ...args,
  ]
}

/** Plays a story to an agent whose model takes some time; returns what must not depend on that, and the report. */
async function play(
  scenario: string | ScenarioInput,
  command: readonly string[],
  ms: number,
  options: Omit<ReplayOptions, 'scenario' | 'command'> = {},
) {
  const variables = {
    MODEL: modelUrl(ms),
    PORT: '{port:8787}',
    SINK: String(portOf(sink)),
    JOBS: String(portOf(jobs)),
  }
  const { report, server } = await replayAndKeep({ scenario, command, variables, ...options })
  const exchanges = server.simulator.journal.exchanges()
  await server.close()
  const same = {
    failed: report.verdicts.filter(({ passed }) => !passed).map(({ describe, found }) => [describe, found]),
    digest: report.digest,
    journal: exchanges.map(({ at, method, path, status }) => `${at} ${method} ${path} ${status}`),
    patience: report.pace?.patience_used,
  }
  return { same, report }
}

describe('an agent with a model', () => {
  it('is not woken after the end for the questions that it asks in every round', async () => {
    const { journal } = (await play('refund-conversation', commandOf('rounds.mjs'), 0)).same
    expect(journal.length).toBeGreaterThan(3)
    expect(journal.length).toBeLessThan(20)
  })

  it.each([
    ...['spin.mjs', 'pipe.mjs', 'file.mjs', 'native.mjs'],
    ...['streams.py', 'pair.py', 'alarms.py', 'gather.py'],
  ])('passes although that thinks: %s', async (line) => {
    const { same } = await play('refund-conversation', commandOf(line), 400)
    expect(same).toMatchObject({ failed: [], patience: 0 })
  })

  it.each([
    ['refund-conversation', 'stream.mjs'],
    ['refund-conversation', 'thread.mjs'],
    ['refund-conversation', 'processes.py'],
    ['duplicate-delivery', 'webhook.py'],
  ] as const)('passes %s alike however long that thinks: %s', async (scenario, line) => {
    // At the same time, since neither may depend on what the machine does besides.
    const [fast, slow] = await Promise.all([0, 400].map((ms) => play(scenario, commandOf(line), ms)))
    expect(fast?.same).toMatchObject({ failed: [], patience: 0 })
    expect(slow?.same).toEqual(fast?.same)
  })

  it('passes although no observer sees it', async () => {
    const names = ['PATH', 'MAILBOX_BASE_URL', 'MAILBOX_API_KEY', 'MODEL']
    const line = `env -i ${names.map((name) => `${name}="$${name}"`).join(' ')} ${commandOf('habits.mjs quick').join(' ')}`
    expect(await play('refund-conversation', ['sh', '-c', line], 500)).toMatchObject({
      same: { failed: [] },
    })
  })

  it('waits in real time before it asks a model again that refused', async () => {
    refused = 0
    const { report, server } = await replayAndKeep({
      ...{ scenario: 'refund-conversation', command: commandOf('backoff.mjs') },
      variables: { MODEL: modelUrl(0) },
    })
    await server.close()
    expect(report.passed).toBe(true)
    expect(report.pace?.worked_ms).toBeGreaterThan(900)
  })
})

/** Two people write; each gets an answer, within some seconds if the mail is delivered at once. */
function lettersFor(
  agent: 'poller' | 'receiver',
  within = '1h' as `${number}${'s' | 'm'}` | '1h',
): ScenarioInput {
  const text = 'A refund, please.'
  return {
    ...{ scenario: 'letters', extend: ['common'], identities: [{ handle: 'support' }] },
    ...(agent === 'receiver' && {
      webhooks: [{ url: 'http://127.0.0.1:8787/', events: ['message.received'] }],
    }),
    timeline: [
      { key: 'ann', after: '25s', receive: { to: 'support', from: 'ann@shop.example', text } },
      { key: 'bo', after: '100s', receive: { to: 'support', from: 'bo@shop.example', text } },
    ],
    expect: [
      { sent: { to: 'ann@shop.example' }, times: 1, after: 'ann', within },
      { sent: { to: 'bo@shop.example' }, times: 1, after: 'bo', within },
    ],
  }
}

describe('an agent with habits of its own', () => {
  it.each([
    ...['idle', 'log', 'jobs', 'asks', 'tells', 'cleans', 'blocks', 'pool'].map(
      (name) => `habits.mjs ${name}`,
    ),
    ...['log', 'hears', 'asks', 'blocks', 'pool', 'stores'].map((name) => `habits.py ${name}`),
  ])('answers each mail once although its model thinks: %s', async (line) => {
    const { same } = await play(lettersFor('poller'), commandOf(line), 400)
    expect(same).toMatchObject({ failed: [], patience: 0 })
  })

  it.each(['habits.mjs cron', 'habits.py idle'])(
    'acts alike however long its model thinks: %s',
    async (line) => {
      const plays = [0, 400].map((ms) => play(lettersFor('poller'), commandOf(line), ms))
      const [fast, slow] = (await Promise.all(plays)).map(({ same }) => same)
      expect(fast).toMatchObject({ failed: [], patience: 0 })
      expect(slow).toEqual(fast)
    },
  )

  it('may wait for something after SIGTERM', async () => {
    const { same, report } = await play(lettersFor('poller'), commandOf('habits.mjs graceful'), 0)
    expect([same.failed, report.command?.notes]).toEqual([[], []])
  })

  it('has what is delivered before its wait of the same moment ends', async () => {
    const { same } = await play(lettersFor('receiver', '3s'), commandOf('habits.mjs queue'), 0)
    expect(same).toMatchObject({ failed: [], patience: 0 })
  })

  it('waits no longer because another process of its waits, too', async () => {
    const { same } = await play(lettersFor('poller'), commandOf('habits.mjs apart'), 0)
    expect(same).toMatchObject({ failed: [], patience: 0 })
    const looks = same.journal.filter((line) => line.includes('threads')).map((line) => line.slice(14, 19))
    expect(looks.slice(0, 3)).toEqual(['00:00', '00:05', '00:10'])
  })

  it('gets the retries of its last delivery', async () => {
    const { timeline = [], expect: expected = [], ...story } = lettersFor('receiver')
    const last = { ...story, timeline: timeline.slice(0, 1), expect: expected.slice(0, 1) }
    const { same } = await play(last, commandOf('habits.mjs fails'), 0)
    expect(same).toMatchObject({ failed: [], patience: 0 })
  })

  it('shows a timer without a guard only while its model thinks in story time', async () => {
    const command = commandOf('habits.mjs unguarded')
    const failed = async (thinkTime?: number) =>
      (await play(lettersFor('poller'), command, 0, { thinkTime })).same.failed.length
    expect([await failed(), await failed(20_000)]).toEqual([0, 2])
  })

  it('has the answer of its model before its next tick', async () => {
    const letters = lettersFor('poller', '15m')
    const { same } = await play(letters, commandOf('habits.mjs cron'), 400, { thinkTime: 20_000 })
    expect(same).toMatchObject({ failed: [], patience: 0 })
  })

  it.each(['habits.mjs endless', 'habits.mjs collector', 'habits.py endless'])(
    'ends what has no end itself: %s',
    async (line) => {
      const { same, report } = await play(lettersFor('poller'), commandOf(line), 0, { patience: 300 })
      expect(same.failed).toEqual([])
      expect(report.pace?.notes?.join()).toContain('had not ended after 3s')
    },
  )

  it('names a process that a signal has stopped, and does not wait for it', async () => {
    const command = commandOf('habits.mjs stops')
    const { same, report } = await play(lettersFor('poller'), command, 0, { patience: 1_000 })
    expect([report.passed, same.patience]).toEqual([false, 0])
    expect(report.pace?.notes?.join()).toContain('was stopped by a signal')
  })

  // Beside each other, since they mostly wait.
  it.concurrent.each([
    ['mute', [], undefined],
    ['lies', [], undefined],
    ['quick', [permission, '--allow-fs-read=*'], 'was started with --permission'],
  ])('is played to the end if it cannot be observed: %s', async (habit, flags, note) => {
    const [node = '', ...rest] = commandOf(`habits.mjs ${habit}`)
    const command = [node, ...flags, ...rest]
    const { report } = await play(lettersFor('poller'), command, 0, { patience: 1_000 })
    expect(report.passed).toBe(true)
    expect(report.pace?.notes?.join() ?? '').toContain(note ?? '')
  })
})

describe('a client that reminds by its own clock', () => {
  const scenario: ScenarioInput = {
    scenario: 'reminder',
    extend: ['common'],
    identities: [
      {
        handle: 'support',
        threads: [
          {
            key: 'lamp',
            subject: 'Lamp',
            messages: [{ from: 'Ann <ann@shop.example>', at: '-1h', text: 'A refund, please.' }],
          },
        ],
      },
    ],
    timeline: [{ after: '26h', receive: { thread: 'lamp', text: 'It is order 4187.' } }],
    expect: [
      { sent: { text: '/^A reminder/' }, times: 1, after: '1d', within: '2h' },
      { sent: {}, times: 2 },
      { invariant: 'acts-once' },
    ],
  }

  it.each(['remind.mjs', 'remind.py'])('lives a day on the date of the story: %s', async (file) => {
    const { report, server } = await replayAndKeep({ scenario, command: commandOf(file), agentTime: 'story' })
    onTestFinished(() => server.close())
    expect(report).toMatchObject({ cause: null, passed: true, hints: [] })
    expect(report.pace).not.toHaveProperty('own_date')
    const asked = server.simulator.journal.exchanges().map(({ at }) => Date.parse(at))
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] as number))
    expect([Math.min(...pauses), Math.max(...pauses)]).toEqual([0, 600_000])
  })

  it('is told that its date is another one', async () => {
    const report = await replay({ scenario, command: commandOf('remind.mjs') })
    expect(report.verdicts.map(({ passed }) => passed)).toEqual([false, true, true])
    expect(report.hints).toEqual([
      expect.stringMatching(/^The story began on 2026-01-05, .*--agent-time story\./),
    ])
  })
})

describe('a client with a time-out', () => {
  const scenario: ScenarioInput = {
    scenario: 'delay',
    start: '2026-01-05T09:00:00Z',
    organization: { api_keys: ['test-key'] },
    identities: [{ handle: 'support', mailbox_address: 'support@agents.example' }],
    timeline: [
      { after: '10s', fault: { operation: 'threads.list', delay: '30s', times: 1 } },
      { key: 'last', after: '2m', receive: { to: 'support', from: 'ann@example.com', text: 'Hello.' } },
    ],
    expect: [{ request: 'threads.list', where: { status: 200 }, after: 'last' }],
  }

  it.each([
    ...['fetch', 'http'].map((how) => `limit.mjs ${how}`),
    ...['urllib', 'wait_for'].map((how) => `limit.py ${how}`),
  ])('survives a delay of half a minute only if it waits so long: %s', async (line) => {
    const passes = async (seconds: number): Promise<boolean> => {
      const { report, server } = await replayAndKeep({ scenario, command: commandOf(`${line} ${seconds}`) })
      await server.close()
      return report.passed
    }
    expect([await passes(10), await passes(40)]).toEqual([false, true])
  })
})
