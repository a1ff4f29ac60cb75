import { z } from '../../contract/schema.js'
import type { MailboxStore } from '../../model/index.js'
import { FaultError } from '../errors.js'
import { type Fault, faultSchema } from './fault.js'
import { whyNeverHit } from './impossible.js'

/** A fault rule as people write it, read, and found to be one that can hit. @throws FaultError `invalid`, `impossible` */
export function checkFault(input: unknown, store: MailboxStore): Fault {
  const parsed = faultSchema().safeParse(input)
  if (!parsed.success) throw new FaultError('invalid', z.prettifyError(parsed.error))
  const handles = [...store.all('identity')].map(({ agent_handle }) => agent_handle)
  const never = whyNeverHit(parsed.data, handles)
  if (never !== undefined) throw new FaultError('impossible', `This fault can never hit: ${never}.`)
  return parsed.data
}
