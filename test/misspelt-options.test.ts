import {
  createSimulator,
  defineExtension,
  defineScenario,
  mailboxMatchers,
  type Simulator,
} from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { mailboxTest } from 'agent-mailbox-sim/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { functionsWithOptions } from '../build/api-document.js'
import { plans, violations } from '../src/fuzz/fast-check.js'

let sim: Simulator

beforeAll(async () => {
  sim = await createSimulator({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })
})

/** Wrong options, passed as from a program without type checks. */
type Wrong = never

/** Calls a function with options. */
type Call = (given: Wrong) => unknown

/**
 * Every function with an object of options: a call of it, and wrong objects with what the answer has to name. An
 * object that is added to the library is missing here until it is checked.
 */
const calls: Readonly<Record<string, readonly [Call, ...(readonly [given: unknown, answer: RegExp])[]]>> = {
  'createSimulator: SimulatorOptions': [
    (given) => createSimulator(given),
    [{ scenaro: 'empty' }, /createSimulator has no option "scenaro"; did you mean "scenario"/],
    [{ seed: '7' }, /createSimulator: seed must be a whole number from 0, not the string "7"/],
    [{ readings: 5 }, /createSimulator: readings must be a string or an object or a list, not 5/],
    [{ readings: { 'threads.total': 5 } }, /"5" is not a reading of threads.total. Choose one of all-match/],
    [{ seed: -1 }, /createSimulator: seed must be a whole number from 0, not -1/],
    [{ clock: 'slow' }, /no clock "slow"; choose real, frozen/],
    [{ scenario: null }, /scenario must be a string.*not null/],
    [{ baseUrl: 'mail.test' }, /baseUrl.*"mail.test".*http:\/\/mailbox.test/],
    ['empty', /createSimulator takes an object with scenario, seed, .* not the string "empty"/],
  ],
  'listen: ListenOptions': [
    (given) => listen(given),
    [{ onUnhandledRequests: 'error' }, /listen has no option "onUnhandledRequests"; did you mean "onUnh/],
    [{ zzz: 1 }, /listen has no option "zzz"; expected one of scenario, (?!.*(transport|carrier))/],
    [{ journal: 'yes' }, /listen: journal must be true or false/],
  ],
  'startServer: ServerOptions': [
    (given) => startServer(given),
    [{ prot: 1 }, /startServer has no option "prot"; did you mean "port"/],
    [{ port: 99_999 }, /port.*0 \(a free one\) to 65535.*99999/],
    [{ allowHosts: [5] }, /startServer: allowHosts must be a list of strings, not a list/],
    [{ allowDeliveriesTo: 'x' }, /allowDeliveriesTo must be a list of strings, not the string "x"/],
    [{ controlToken: '' }, /startServer: controlToken must have at least one character/],
    [{ port: '4280' }, /startServer: port must be a whole number from 0, not the string "4280"/],
  ],
  'mailboxTest: MailboxTestOptions': [
    (given) => mailboxTest(given),
    [{ isolaton: 'reset' }, /mailboxTest has no option "isolaton"; did you mean "isolation"/],
    [{ isolation: 'resets' }, /mailboxTest: isolation cannot be the string "resets"; did you mean "reset"/],
    [{ seed: 1.5 }, /mailboxTest: seed must be a whole number from 0, not 1.5/],
  ],
  'plans: PlansOptions': [
    (given) => plans(given),
    [{ maxElement: 2 }, /plans has no option "maxElement"; did you mean "maxElements"/],
    [{ vary: ['fault'] }, /plans: an entry of vary cannot be the string "fault"; did you mean "faults"/],
  ],
  'Simulator.addWorld: WorldOptions': [
    (given) => sim.addWorld(given),
    [{ sed: 3 }, /addWorld has no option "sed"; did you mean "seed"/],
  ],
  'Simulator.fork: ForkOptions': [
    (given) => sim.fork(given),
    [{ clok: 'real' }, /fork has no option "clok"; did you mean "clock"/],
  ],
  'Simulator.snapshot: SnapshotOptions': [
    (given) => sim.snapshot(given),
    [{ secret: 'masked' }, /snapshot has no option "secret"; did you mean "secrets"/],
    [{ secrets: 'mask' }, /snapshot: secrets cannot be the string "mask"; did you mean "masked"/],
  ],
  'Simulator.waitFor: ThreadMatch': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    [{ thread: 'thrd_1' }, /waitFor: has is missing; it must be an object/],
    [{ thread: 'thrd_1', ha: {} }, /waitFor has no option "ha"; did you mean "has"/],
    [{ thread: 'thrd_1', has: { unred: false } }, /A thread has no "unred"; did you mean "unread"/],
  ],
  'Simulator.waitFor: DeliveryWanted': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    [{ delivery: 'message.received', status: 'suceeded' }, /did you mean "succeeded"/],
    [{ delivery: 'message.recieved' }, /no event "message.recieved"; did you mean "message.received"/],
    [{ delivery: 'message.received', atempts: 2 }, /no option "atempts"; did you mean "attempts"/],
  ],
  'Simulator.waitFor: ExchangeMatch': [
    (given) => sim.waitFor(given, { timeout: '0s' }),
    [
      { operation: 'threads.lst' },
      /operation cannot be the string "threads.lst"; did you mean "threads.list"/,
    ],
    [{ statuss: 200 }, /waitFor has no option "statuss"; did you mean "status"/],
    [undefined, /waitFor takes a function, or an object such as .* not undefined/],
  ],
  'Simulator.waitFor: WaitOptions': [
    (given) => sim.waitFor({ operation: 'threads.list' }, given),
    [{ timout: '1s' }, /waitFor has no option "timout"; did you mean "timeout"/],
    [{ timeout: 'soon' }, /timeout: "soon" is not a duration such as 500ms/],
  ],
  'JournalView.exchanges: ExchangeFilter': [
    (given) => sim.journal.exchanges(given),
    [
      { operation: 'threads.lst' },
      /operation cannot be the string "threads.lst"; did you mean "threads.list"/,
    ],
    [
      { operations: 'threads.list' },
      /journal.exchanges has no option "operations"; did you mean "operation"/,
    ],
  ],
  'JournalView.har: ExchangeFilter': [
    (given) => sim.journal.har(given),
    [{ sinse: 3 }, /journal.har has no option "sinse"; did you mean "since"/],
  ],
  'JournalView.commands: EntryFilter': [
    (given) => sim.journal.commands(given),
    [{ limt: 3 }, /journal.commands has no option "limt"; did you mean "limit"/],
    [{ limit: '3' }, /journal.commands: limit must be a whole number/],
  ],
  'Deliveries.list: DeliveryFilter': [
    (given) => sim.deliveries.list(given),
    [{ stat: 'failed' }, /deliveries.list has no option "stat"/],
    [
      { status: 'succeded' },
      /deliveries.list: status cannot be the string "succeded"; did you mean "succeeded"/,
    ],
  ],
  'Faults.add: Fault': [
    (given) => sim.faults.add(given),
    [{ operation: 'threads.lst', status: 503 }, /no operation "threads.lst"; did you mean "threads.list"/],
    [{ operation: 'threads.list', statuss: 503 }, /unknown key "statuss"; did you mean "status"/],
    [{ status: '503' }, /status: expected number, received string/],
  ],
  'Identities.create: IdentityInput': [
    (given) => sim.identities.create(given),
    [{ handel: 'sales' }, /identities.create has no option "handel"; did you mean "handle"/],
  ],
  'Identities.list: ListOptions': [
    (given) => sim.identities.list(given),
    [{ everywere: true }, /identities.list has no option "everywere"; did you mean "everywhere"/],
  ],
  'Threads.list: ThreadListOptions': [
    (given) => sim.threads.list(given),
    [{ agent: 'suport' }, /no agent "suport".*"support"/],
    [{ agnt: 'support' }, /threads.list has no option "agnt"; did you mean "agent"/],
    ['support', /threads.list takes an object with .* not the string "support"/],
  ],
  'Webhooks.create: WebhookInput': [
    (given) => sim.webhooks.create(given),
    [{ url: 'http://a.test/', event: [] }, /webhooks.create has no option "event"; did you mean "events"/],
  ],
  'Webhooks.list: ListOptions': [
    (given) => sim.webhooks.list(given),
    [{ everywhere: 'yes' }, /webhooks.list: everywhere must be true or false/],
  ],
  'Mail.receive: ReceiveInput': [
    (given) => sim.mail.receive(given),
    [undefined, /mail.receive takes an object with .* not undefined/],
    [{ to: 'suport' }, /No agent of this world is "suport".*support/],
    [{ to: 'support', from: 'Ann' }, /from: "Ann" is not of the form "Ann <ann@example.com>"/],
    [{ to: 'support', subjct: 'Hi' }, /mail.receive has no option "subjct"; did you mean "subject"/],
    [{ to: 'support', attachments: [{ filenam: 'a' }] }, /"filenam"; did you mean "filename"/],
    [
      { to: 'support', attachments: [{ filename: 'a.txt' }] },
      /a file in attachments: content is missing; it must be a string or bytes/,
    ],
  ],
  'Mail.send: SendInput': [
    (given) => sim.mail.send(given),
    [{ form: 'support', to: 'ann@example.com' }, /mail.send has no option "form"; did you mean "from"/],
    [{ to: 'ann@example.com' }, /mail.send: from is missing; it must be a string/],
    [{ from: 'support', to: [] }, /to: expected at least one entry/],
    [{ from: 'support' }, /mail.send: to is missing; it must be a string or a list/],
  ],
  'MailboxReader.threads: ThreadSearch': [
    (given) => sim.mailbox.threads(given),
    [{ serch: 'refund' }, /mailbox.threads has no option "serch"; did you mean "search"/],
  ],
  'defineExtension: OperationInput': [
    (given) => defineExtension(({ operation }) => [operation(given)]),
    [{ id: 'me.get', methd: 'GET' }, /has no key "methd"; did you mean "method"/],
  ],
  'defineExtension: GapInput': [
    (given) => defineExtension(({ gap }) => [gap(given)]),
    [{ id: 'me.fields', reading: {} }, /has no key "reading"; did you mean "readings"/],
  ],
  'defineScenario: ScenarioInput': [
    (given) => createSimulator({ scenario: defineScenario(given) }),
    [{ scenario: 'x', identites: [] }, /identites.*did you mean "identities"/s],
  ],
  'toHaveRequested: RequestMatch': [
    (given) => mailboxMatchers.toHaveRequested(sim, 'threads.list', given),
    [{ tims: 1 }, /toHaveRequested has no option "tims"; did you mean "times"/],
  ],
  'toHaveDelivered: DeliveryDescription': [
    (given) => mailboxMatchers.toHaveDelivered(sim, 'message.received', given),
    [{ urll: 'http://a.test/' }, /no option "urll"; did you mean "url"/],
  ],
  'toHaveThread: ThreadDescription': [
    (given) => mailboxMatchers.toHaveThread(sim, given),
    [{ subjekt: 'Hi' }, /A thread has no "subjekt"; did you mean "subject"/],
  ],
}

/** Functions with names instead of options, and callbacks of the user. */
const elsewhere = [
  'Events.subscribe: WorldEvent',
  'defineExtension: ExtensionGap',
  'defineExtension: ExtensionOperation',
  'defineExtension: ExtensionTools',
  // It hands them to `listen`.
  'useMailbox: ListenOptions',
]

it('misspelled options are tested for every function with options', () => {
  const missing = functionsWithOptions().filter((name) => !(name in calls) && !elsewhere.includes(name))
  expect(missing).toEqual([])
  expect(functionsWithOptions().length).toBeGreaterThan(20)
})

describe.each(Object.entries(calls))('%s', (_, [call, ...mistakes]) => {
  it.each(mistakes)('refuses %j with a suggestion', async (given, answer) => {
    const failure = await (async () => call(given as Wrong))().then(
      () => undefined,
      (error: Error) => error,
    )
    expect(failure?.message).toMatch(answer)
    expect(failure?.message).not.toMatch(/Unrecognized|Invalid input|✖|Cannot (read|destructure)/)
  })
})

it('other misspelled names are refused with a suggestion', () => {
  expect(() => violations(sim, ['gives-upp' as Wrong])).toThrow('did you mean "gives-up"')
  expect(() => violations(sim, 'ends' as Wrong)).toThrow(`a list such as ['ends'], not "ends".`)
  expect(() => violations({} as Wrong)).toThrow('violations() looks at a simulator, not object; give it')
  expect(() => sim.readings.set({ 'threads.totl': 'page-size' } as Wrong)).toThrow(
    'did you mean "threads.total"',
  )
  expect(() => sim.readings.set({ 'threads.total': undefined } as Wrong)).toThrow(
    '"undefined" is not a reading of threads.total.',
  )
  expect(() => sim.webhooks.on('http://agent.test/', undefined as Wrong)).toThrow('a function that gets each')
  expect(() => sim.readings.set('worst-case' as Wrong)).toThrow("readings.set takes an object such as { 'thr")
  expect(() => sim.restore('{}')).toThrow(/the document: it is a string.*JSON.parse/s)
  expect(() => sim.threads.markRead('msg_none')).toThrow(/no thread "msg_none".*the id of a message/)
  expect(() => sim.deliveries.get('dlv_none')).toThrow(/no delivery "dlv_none".*sim.deliveries.list/)
})

it('refuses a missing id like an unknown one', () => {
  const missing = undefined as Wrong
  expect(() => sim.mail.get(missing)).toThrow('There is no message "undefined"')
  expect(() => sim.threads.get(missing)).toThrow('There is no thread "undefined"')
  expect(() => sim.identities.get(missing)).toThrow('There is no agent "undefined" in this world')
  expect(() => sim.webhooks.secret(missing)).toThrow('There is no webhook "undefined"')
})
