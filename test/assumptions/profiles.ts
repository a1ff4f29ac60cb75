import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { type Mailbox, openMailbox } from '../conformance/mailbox.js'

const seeds = Array.from({ length: 60 }, (_, index) => `seed:${index + 1}`)

/** Many complete choices of assumptions, by name. */
export const profiles = ['default', 'worst-case', ...seeds].map((name) => ({
  name,
  assumptions: profileAssumptions(name),
}))

/** Runs an assertion on the conformance scenario under each profile. */
export async function underEveryProfile(check: (mailbox: Mailbox) => Promise<void>): Promise<void> {
  const mailbox = await openMailbox()
  for (const { name, assumptions } of profiles) {
    mailbox.simulator.reset()
    mailbox.simulator.assumptions.set(assumptions)
    try {
      await check(mailbox)
    } catch (error) {
      if (error instanceof Error) error.message = `Under ${name}: ${error.message}`
      throw error
    }
  }
}
