import { z } from '../../base/schema.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import { fieldAt } from '../compile/parts.js'
import { template } from '../format/values.js'
import { defineAction } from './action.js'

const kind = z.string().regex(/^\S.{0,199}$/, 'expected what is pending, such as drafts')

/** Returns the schema of a decision: each action has its own, since no part of the format names it. */
const decision = () =>
  z.union(
    [
      kind,
      z.strictObject({
        of: kind.describe(
          'What is pending: the key of a value that an extension keeps, or what it begins with.',
        ),
        reason: template.optional().describe('The reason, which the client may be shown.'),
      }),
    ],
    { error: 'expected what is pending, such as drafts, or { of: drafts, reason: … }' },
  )

export const approvePending = defineDecision(
  'The latest of what an extension keeps as pending is approved.',
  'approved',
)

export const rejectPending = defineDecision(
  'The latest of what an extension keeps as pending is rejected.',
  'rejected',
)

function defineDecision(describe: string, status: 'approved' | 'rejected') {
  return defineAction({
    describe,
    schema: decision(),
    resolve(_context, decided) {
      const { of, reason } = typeof decided === 'string' ? { of: decided, reason: undefined } : decided
      return async ({ texts }, place) => {
        const command: CommandOf<'decide-value'> = { type: 'decide-value', of, status }
        if (reason !== undefined) command.reason = await texts.fill(reason, fieldAt(place, 'reason'))
        return { commands: [command] }
      }
    },
  })
}
