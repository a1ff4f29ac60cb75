import { z } from '../../../base/schema.js'
import { PatternError } from '../../../story/expectations/pattern.js'
import { sentConditionById, sentMatchById } from '../../../story/expectations/sent.js'
import { judgeSent } from '../../simulator/matchers.js'
import { attachments } from './mailbox.js'
import { defineRoute } from './route.js'
import { shownInstant } from './shapes.js'

const addresses = z.array(z.string())

const sentMessage = z.object({
  id: z.string(),
  thread_id: z.string(),
  agent_handle: z.string(),
  from: z.string(),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  reply_to: addresses,
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments,
  in_reply_to: z
    .string()
    .nullable()
    .describe('The id of the message that it replies to, or its Message-ID if it is in no mailbox.'),
  created_at: shownInstant,
  operation: z.string(),
  exchange: z.int().min(1).describe('The `seq` of the request that sent it.'),
})

/** Routes of the mail that agents sent. */
export const sentRoutes = [
  defineRoute('GET /sent', {
    summary: 'Lists the mail that agents sent with requests that the journal keeps, oldest first.',
    query: z.object({ agent: z.string().optional().describe('Only mail of the agent with this handle.') }),
    answer: z.object({ sent: z.array(sentMessage) }),
    perform: ({ simulator, query }) => ({ sent: simulator.sent(query) }),
  }),
  defineRoute('POST /sent/judge', {
    summary:
      'Judges the mail that agents have sent so far, with the keys of a scenario, and explains what differs.',
    body: z.strictObject({
      sent: sentConditionById,
      times: z.int().min(0).optional().describe('The exact number; by default at least one.'),
    }),
    answer: z.object({
      passed: z.boolean(),
      message: z.string().describe('What was expected, and what was sent instead.'),
      sent: z.array(sentMessage).describe('The messages that match.'),
    }),
    async perform({ simulator, body: { sent, times } }) {
      const known = (text: string): string => simulator.masker.keys.known(text)
      try {
        const { pass, message, fitting } = judgeSent(simulator, sentMatchById(sent), times)
        return { passed: pass, message: known(message()), sent: fitting() }
      } catch (error) {
        if (!(error instanceof PatternError)) throw error
        return { passed: false, message: known(`This cannot be judged: ${error.message}.`), sent: [] }
      }
    },
  }),
]
