import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Plan } from '../doors.js'
import { controlOf, HttpSession, type Told, tell, timeOn } from '../session.js'

/** A client that a command of the program runs: it tells the story, and fails under the assumptions that it relies on. */
const { MAILBOX_BASE_URL: url = '', MAILBOX_API_KEY: key = '', MAILBOX_SIM_URL: control = '' } = process.env
const server = { url, key, control, token: process.env['MAILBOX_SIM_TOKEN'] ?? '' }
const [, , path = ''] = process.argv
const plan = JSON.parse(readFileSync(path, 'utf8')) as Plan

function need(holds: unknown, what: string): void {
  if (holds) return
  process.stderr.write(`Error: ${what}\n`)
  process.exit(1)
}

const session = new HttpSession(server, plan.receiver)
await session.received()
const told = await tell(session, plan.words)
const [past] = told.map(({ seen }) => seen.at(-1))
need(past !== 'received ', 'without --allow-delivery-to')
// At the end, since a clock stands still until the story begins; on a fast one, the story may be over.
const { mode } = (await controlOf(server)('GET', '/clock')) as { mode: string }
need(plan.clock !== 'frozen' || mode === 'frozen', `at ${mode} without --clock`)
// The first run is the one that nothing disturbs.
if (!existsSync(plan.out)) writeFileSync(plan.out, JSON.stringify(told))
else {
  const seen = (all: readonly Told[]): string => timeOn(plan.clock, JSON.stringify(all))
  need(
    seen(told) === seen(JSON.parse(readFileSync(plan.out, 'utf8'))),
    'the answers are not those of the first run',
  )
}
