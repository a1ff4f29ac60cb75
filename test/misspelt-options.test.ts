import { createSimulator, defineScenario, mailboxMatchers, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { mailboxTest } from 'agent-mailbox-sim/vitest'
import { beforeAll, expect, it } from 'vitest'

let sim: Simulator

beforeAll(async () => {
  sim = await createSimulator({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })
})

/** Wrong options, passed as from a program without type checks. */
type Wrong = never

/** Calls a function with options. */
type Call = (given: Wrong) => unknown

/** Every function with an object of options: a call of it, and wrong objects.
 */
const calls: Readonly<Record<string, readonly [Call, ...unknown[]]>> = {
  'createSimulator: SimulatorOptions': [
    (given) => createSimulator(given),
    { scenaro: 'empty' },
    { assumptions: 5 },
    { assumptions: { 'threads.total': 5 } },
    { clock: 'slow' },
    { baseUrl: 'mail.test' },
    { baseUrl: 'http://mail.test/api/v1/' },
    'empty',
  ],
  'Faults.add: FaultInput': [(given) => sim.faults.add(given), { stauts: 503 }, { status: '503' }],
  'AssumptionsControl.set: NamedAssumptions': [
    (given) => sim.assumptions.set(given),
    { 'threads.totl': 'page-size' },
    { 'threads.total': 'page' },
  ],
  'listen: ListenOptions': [(given) => listen(given), { onUnhandledRequests: 'error' }, { zzz: 1 }],
  'startServer: ServerOptions': [
    (given) => startServer(given),
    { prot: 1 },
    { port: 99_999 },
    { controlToken: '' },
  ],
  'mailboxTest: MailboxTestOptions': [(given) => mailboxTest(given), { isolaton: 'reset' }],
  'Simulator.addWorld: WorldOptions': [(given) => sim.addWorld(given), { sed: 3 }],
  'Simulator.fork: ForkOptions': [(given) => sim.fork(given), { clok: 'real' }],
  'Simulator.mcp: ToolOptions': [(given) => sim.mcp(given), { tool: ['threads_list'] }],
  'Simulator.sent: SentFilter': [(given) => sim.sent(given), { agnet: 'eva' }],
  'Simulator.snapshot: SnapshotOptions': [(given) => sim.snapshot(given), { secret: 'masked' }],
  'Simulator.waitFor: ThreadMatch': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    { thread: 'thrd_1' },
    { thread: 'thrd_1', ha: {} },
    { thread: 'thrd_1', has: { unred: false } },
  ],
  'Simulator.waitFor: SentWanted': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    { sent: { form: 'eva' } },
    { sent: {}, from: 'eva' },
  ],
  'Simulator.waitFor: DeliveryWanted': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    { delivery: 'message.received', status: 'suceeded' },
    { delivery: 'message.recieved' },
    { delivery: 'message.received', atempts: 2 },
  ],
  'Simulator.waitFor: ExchangeMatch': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    { operation: 'threads.lst' },
    { statuss: 200 },
    undefined,
  ],
  'Simulator.waitFor: WaitOptions': [
    (given) => sim.waitFor({ operation: 'threads.list' }, given),
    { timout: '1s' },
    { timeout: 'soon' },
  ],
  'JournalView.exchanges: ExchangeFilter': [
    (given) => sim.journal.exchanges(given),
    { operation: 'threads.lst' },
    { operations: 'threads.list' },
  ],
  'JournalView.commands: EntryFilter': [(given) => sim.journal.commands(given), { limt: 3 }],
  'Deliveries.list: DeliveryFilter': [(given) => sim.deliveries.list(given), { stat: 'failed' }],
  'Faults.add: Fault': [
    (given) => sim.faults.add(given),
    { operation: 'threads.lst', status: 503 },
    { operation: 'threads.list', statuss: 503 },
    { status: '503' },
  ],
  'Identities.create: IdentityInput': [(given) => sim.identities.create(given), { handel: 'sales' }],
  'Identities.list: ListOptions': [(given) => sim.identities.list(given), { everywere: true }],
  'Threads.list: ThreadListOptions': [
    (given) => sim.threads.list(given),
    { agent: 'suport' },
    { agnt: 'support' },
    'support',
  ],
  'Webhooks.create: WebhookInput': [
    (given) => sim.webhooks.create(given),
    { url: 'http://a.test/', event: [] },
  ],
  'Webhooks.list: ListOptions': [(given) => sim.webhooks.list(given), { everywere: true }],
  'Mail.receive: ReceiveInput': [
    (given) => sim.mail.receive(given),
    undefined,
    { to: 'suport' },
    { to: 'support', from: 'Ann' },
    { to: 'support', subjct: 'Hi' },
    { to: 'support', attachments: [{ filenam: 'a' }] },
    { to: 'support', attachments: [{ filename: 'a.txt' }] },
  ],
  'Mail.send: SendInput': [
    (given) => sim.mail.send(given),
    { form: 'support', to: 'ann@example.com' },
    { to: 'ann@example.com' },
    { from: 'support', to: [] },
    { from: 'support' },
  ],
  'MailboxReader.threads: ThreadSearch': [(given) => sim.mailbox.threads(given), { serch: 'refund' }],
  'defineScenario: ScenarioInput': [
    (given) => createSimulator({ scenario: defineScenario(given) }),
    { scenario: 'x', identites: [] },
  ],
  'toHaveRequested: RequestMatch': [
    (given) => mailboxMatchers.toHaveRequested(sim, 'threads.list', given),
    { tims: 1 },
  ],
  'toHaveDelivered: DeliveryDescription': [
    (given) => mailboxMatchers.toHaveDelivered(sim, 'message.received', given),
    { urll: 'http://a.test/' },
  ],
  'toHaveThread: ThreadDescription': [(given) => mailboxMatchers.toHaveThread(sim, given), { subjekt: 'Hi' }],
}

/** Returns what a call is refused with. */
async function refusalOf(call: () => unknown): Promise<string> {
  const refusal = await (async () => call())().then(
    () => 'It was not refused.',
    (error: Error) => error.message,
  )
  expect(refusal).not.toMatch(/Unrecognized|Invalid input|✖|Cannot (read|destructure)|It was not/)
  return refusal
}

it.each(Object.entries(calls))(
  '%s: wrong options are refused with a suggestion',
  async (_, [call, ...mistakes]) => {
    const refusals: string[] = []
    for (const given of mistakes) refusals.push(await refusalOf(() => call(given as Wrong)))
    expect(refusals).toMatchSnapshot()
  },
)

const missing = undefined as Wrong

/** Calls with other wrong arguments. */
const others: readonly (() => unknown)[] = [
  () => sim.assumptions.set({ 'threads.totl': 'page-size' } as Wrong),
  () => sim.assumptions.set({ 'threads.total': undefined } as Wrong),
  () => sim.assumptions.set('worst-case' as Wrong),
  () => mailboxMatchers.toHaveRequested(Promise.resolve(sim), 'threads.list'),
  () => import('../src/doors/interceptor/jest.js'),
  () => sim.webhooks.on('http://agent.test/', missing),
  () => sim.webhooks.secret(missing),
  () => sim.restore('{}'),
  () => sim.threads.markRead('msg_none'),
  () => sim.threads.get(missing),
  () => sim.deliveries.get('dlv_none'),
  () => sim.mail.get(missing),
  () => sim.identities.get(missing),
]

it('other wrong arguments are refused with a suggestion', async () => {
  const refusals: string[] = []
  for (const call of others) refusals.push(`${`${call}`.replace('() => ', '')}\n${await refusalOf(call)}`)
  expect(refusals.join('\n\n')).toMatchSnapshot()
})
