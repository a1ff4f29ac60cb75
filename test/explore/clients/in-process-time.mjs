// A test with the simulator in its own process, in which time passes as always.
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const { listen } = await import(process.env.PACKAGE)
const milliseconds = () => Number(execFileSync('date', ['+%s%3N'], { encoding: 'utf8' }))
const mailbox = await listen({ scenario: 'empty' })
await fetch(`${mailbox.baseUrl}/api/v1/mail/threads`, {
  headers: { authorization: `Bearer ${mailbox.apiKey}` },
})
const began = milliseconds()
await sleep(1000)
mailbox.close()
if (milliseconds() - began < 1000) throw new Error('expected a second to take a second')
