import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { failure, type Plan } from '../plan.js'
import { controlOf, HttpSession, type Told, tell, timeOn } from '../session.js'

/** A client that a command of the program runs: it tells the story, and fails under the readings that it relies on. */
const { OWN_URL = '', OWN_KEY = '', OWN_CONTROL = '' } = process.env
const [, , path = '', note] = process.argv
const plan = JSON.parse(readFileSync(path, 'utf8')) as Plan

function need(holds: unknown, what: string): void {
  if (holds) return
  process.stderr.write(`Error: ${what}\n`)
  process.exit(1)
}

need(OWN_URL && OWN_KEY && OWN_CONTROL, 'without --env')
need(note === plan.note, 'without its argument')
const { mode } = (await controlOf(OWN_CONTROL)('GET', '/clock')) as { mode: string }
need(plan.clock !== 'frozen' || mode === 'frozen', 'without --clock')
const session = new HttpSession({ url: OWN_URL, key: OWN_KEY, control: OWN_CONTROL }, plan.receiver)
await session.received()
const told = await tell(session, plan.words)
// The first run is the one that nothing disturbs.
if (!existsSync(plan.out)) writeFileSync(plan.out, JSON.stringify(told))
else {
  const seen = (all: readonly Told[]): string => timeOn(plan.clock, JSON.stringify(all))
  need(seen(told) === seen(JSON.parse(readFileSync(plan.out, 'utf8'))), failure)
}
