import { getResponse } from 'msw'
import { createSimulator } from '../../../dist/index.js'
import { inTurns } from '../../figures/rounds.mjs'
import { figureOf, ratioOf } from '../../figures/spread.mjs'
import { timeOf } from '../../figures/timed-calls.mjs'
import { mailboxOf, requestTo } from '../../mailbox.mjs'

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

/** Median times at several sizes of the mailbox, handlers alone: `{what, isList, figures, ratio}` for each request or change. */
export async function usingAt(sizes, { quick, progress }) {
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
