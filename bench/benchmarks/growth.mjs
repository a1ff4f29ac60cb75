import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getResponse } from 'msw'
import { createSimulator } from '../../dist/index.js'
import { figureOf, inTurns, largestOf, ratioOf, timeOf } from '../rounds.mjs'
import { mailboxOf, requestTo } from '../shared.mjs'
import { table } from '../table.mjs'

/** Measures what depends on the size of a mailbox: loading, memory, lists, reset and fork, in one table. */
export async function growth({ quick, progress }) {
  const sizes = quick ? [1_000, 10_000] : [1_000, 100_000, 1_000_000]
  const loading = await loadingAt(sizes, { rounds: quick ? 1 : 3, progress })
  const using = await usingAt(sizes, { quick, progress })
  const lists = using.filter(({ isList }) => isList)
  const row = (name) => using.find(({ what }) => what === name)
  return {
    tables: [
      table(
        ['growth', ...sizes.map((size) => `${size.toLocaleString('en')} messages`), 'last against first'],
        [...loading.rows, ...using.map(({ what, figures, ratio }) => [what, ...figures, ratio])],
      ),
    ],
    figures: {
      'growth.list': largestOf(lists.map(({ ratio }) => ratio)),
      'growth.loading': loading.took.at(-1),
      'growth.memory': loading.peak.at(-1),
      'growth.reset': largestOf(row('reset after ten changes').figures),
      'growth.reset-apart': row('reset after ten changes').ratio,
      'growth.small': loading.took[0],
      'growth.fork': largestOf(row('fork and drop').figures),
    },
  }
}

const program = fileURLToPath(new URL('../programs/load-once.mjs', import.meta.url))

/** Measures loading mailboxes of several sizes, each in its own process; returns the rows, and two of them by name. */
async function loadingAt(sizes, { rounds, progress }) {
  const measured = await inTurns(
    Object.fromEntries(sizes.map((size) => [`loading ${size.toLocaleString('en')}`, () => loadOnce(size)])),
    { rounds, progress },
  )
  const figures = (what, unit) =>
    Object.values(measured).map((runs) =>
      figureOf(
        runs.map((run) => run[what]),
        unit,
      ),
    )
  const took = figures('took', 'ms')
  const peak = figures('peak', 'B')
  return {
    took,
    peak,
    rows: [
      ['messages', ...Object.values(measured).map(([{ messages }]) => messages), ''],
      ['loading', ...took, ''],
      ['processor time', ...figures('busy', 'ms'), ''],
      ['resident memory afterwards', ...figures('resident', 'B'), ''],
      ['peak memory', ...peak, ''],
      ['heap for each message', ...figures('eachMessage', 'B'), ''],
    ],
  }
}

async function loadOnce(size) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, String(size)])
  return JSON.parse(stdout)
}

const lists = {
  'list threads, first page': '/api/v1/mail/threads',
  'list threads of an agent': '/api/v1/mail/threads?agent=agent',
  'list threads, page 4': '/api/v1/mail/threads?offset=150',
  'list messages, first page': '/api/v1/mail/messages',
}

const changes = {
  'reset after ten changes': { before: changeTenTimes, call: (simulator) => simulator.reset() },
  'fork and drop': { call: (simulator) => simulator.fork().close() },
  'fork, ten changes and drop': { call: changeAFork },
}

/**
 * Measures requests and changes at several sizes of the mailbox, with the handlers alone; returns
 * `{what, isList, figures, ratio}` for each.
 */
async function usingAt(sizes, { quick, progress }) {
  const simulators = []
  for (const size of sizes) {
    progress(`making a simulator of ${size.toLocaleString('en')} messages`)
    simulators.push(await createSimulator({ scenario: mailboxOf(size) }))
  }
  const measured = []
  for (const [what, path] of Object.entries(lists)) {
    const call = async (simulator) => (await getResponse(simulator.handlers, requestTo(path))).text()
    measured.push({ isList: true, ...(await compare(what, { call, calls: quick ? 20 : 100 })) })
  }
  for (const [what, change] of Object.entries(changes)) {
    measured.push({ isList: false, ...(await compare(what, { ...change, calls: quick ? 5 : 10 })) })
  }
  return measured

  async function compare(what, { call, before, calls }) {
    const candidates = simulators.map((simulator, place) => [
      sizes[place].toLocaleString('en'),
      () => timeOf(() => call(simulator), { calls, before: before && (() => before(simulator)) }),
    ])
    const rounds = Object.values(
      await inTurns(Object.fromEntries(candidates), {
        rounds: quick ? 2 : 31,
        warmUp: 2,
        progress: (text) => progress(`${what}, ${text}`),
      }),
    )
    const figures = rounds.map((times) => figureOf(times, 'µs'))
    return { what, figures, ratio: ratioOf(rounds.at(-1), rounds[0]) }
  }
}

async function changeTenTimes(simulator) {
  for (let number = 0; number < 10; number++) {
    await simulator.mail.receive({ to: 'agent', subject: `Change ${number}`, text: 'Hello' })
  }
}

async function changeAFork(simulator) {
  const fork = simulator.fork()
  await changeTenTimes(fork)
  fork.close()
}
