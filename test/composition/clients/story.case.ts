import { readFileSync, writeFileSync } from 'node:fs'
import { mailboxTest } from 'agent-mailbox-sim/vitest'
import { expect } from 'vitest'
import type { Plan } from '../doors.js'
import { InProcessSession, tell } from '../session.js'
import { seed } from '../story.js'

const { words, clock, scenario, receiver, out } = JSON.parse(
  readFileSync(process.env['PLAN'] ?? '', 'utf8'),
) as Plan
// The environment has its assumptions.
const test = mailboxTest({ scenario, clock: clock as 'frozen', seed })

test('tells the story', async ({ mailbox }) => {
  let opened = 0
  const session = await InProcessSession.open(
    {
      // A test that starts again gets a new mailbox.
      open: async () => (opened++ === 0 ? mailbox : mailbox.fork()),
      fork: async (simulator) => simulator.fork(),
      send: (request) => fetch(request),
    },
    receiver,
  )
  writeFileSync(out, JSON.stringify(await tell(session, words)))
  expect(mailbox).toHaveRequested('threads.list')
})
