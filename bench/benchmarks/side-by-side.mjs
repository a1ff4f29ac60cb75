import { getResponse } from 'msw'
import { figureOf, inTurns, ratioOf, timeOf } from '../rounds.mjs'
import { requestTo } from '../shared.mjs'

const paths = [
  '/api/v1/mail/threads',
  '/api/v1/mail/threads?agent=agent',
  '/api/v1/mail/messages',
  '/api/v1/identities/agent',
]

/**
 * Compares simulators with the handlers alone; returns a row for each of four requests: the time of an answer in each
 * simulator, and the ratio of the first simulator to the last.
 */
export async function sideBySide(simulators, { quick, progress }) {
  const calls = quick ? 30 : 150
  const rows = []
  for (const path of paths) {
    const candidates = Object.entries(simulators).map(([name, { handlers }]) => [
      name,
      () => timeOf(async () => (await getResponse(handlers, requestTo(path))).text(), { calls }),
    ])
    const measured = await inTurns(Object.fromEntries(candidates), {
      rounds: quick ? 2 : 41,
      warmUp: 2,
      progress: (text) => progress(`${path}, ${text}`),
    })
    const times = Object.values(measured)
    rows.push([path, ...times.map((time) => figureOf(time, 'µs')), ratioOf(times[0], times.at(-1))])
  }
  return rows
}
