import { mailboxOf } from './mailbox.mjs'

// Loads a mailbox of so many messages and tells what that took, as one line of JSON; run by loading.mjs.
const beginning = performance.now()
const { loadScenario } = await import('../dist/scenario/index.js')
const imported = performance.now()
const before = process.cpuUsage()
const { base } = await loadScenario(mailboxOf(Number(process.argv[2])))
const took = performance.now() - imported
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({
    loaded: base.database.count('message'),
    imported: imported - beginning,
    took,
    busy: (user + system) / 1000,
    resident: process.memoryUsage().rss,
    peak: process.resourceUsage().maxRSS * 1024,
  }),
)
