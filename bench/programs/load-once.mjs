import { createSimulator } from '../../dist/index.js'
import { mailboxOf } from '../shared.mjs'

// Loads a mailbox of a size and prints what that took, in milliseconds and bytes, as one line of JSON. growth.mjs runs it
// with --expose-gc.
const { held, ...taken } = await load(Number(process.argv[2]))
// The memory that is freed with the simulator is that of the mailbox; the loaded modules stay.
const eachMessage = (held - bytesUsed()) / taken.messages
console.log(JSON.stringify({ ...taken, eachMessage }))

async function load(size) {
  const began = performance.now()
  const before = process.cpuUsage()
  const simulator = await createSimulator({ scenario: mailboxOf(size) })
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(before)
  const resident = process.memoryUsage().rss
  const peak = process.resourceUsage().maxRSS * 1024
  const held = bytesUsed()
  const { messages } = simulator.summary()
  return { messages, took, busy: (user + system) / 1000, resident, peak, held }
}

function bytesUsed() {
  for (let time = 0; time < 3; time++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
