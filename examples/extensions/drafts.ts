/**
 * Drafts that a person approves before they are sent, as services with a human in the loop have them. In a story,
 * `approve: drafts` and `reject: drafts` are that person. Copy this file beside your scenario, and change what your service does
 * otherwise: see docs/extensions.md.
 */
import { defineExtension } from 'agent-mailbox-sim'

declare global {
  namespace AgentMailboxSim {
    interface Operations {
      'drafts.create': true
      'drafts.get': true
      'drafts.list': true
      'drafts.send': true
    }
  }
}

/** A draft as it is kept, and as responses show it. */
interface Draft {
  readonly id: string
  readonly agent: string
  readonly to: string[]
  readonly cc?: string[] | undefined
  readonly subject?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly in_reply_to?: string | undefined
  readonly status: 'pending' | 'approved' | 'rejected' | 'sent'
  readonly created_at: string
  /** When it was approved or rejected, and why. */
  readonly decided_at?: string
  readonly reason?: string
  /** The message that was sent. */
  readonly message_id?: string
}

const evidence = 'Seen at AgentMail and Gmail, in differing forms; approval by a person is our own addition.'

export default defineExtension(({ operation, z }) => {
  const addresses = z.union([z.string().transform((one) => [one]), z.array(z.string())])
  const response = z
    .object({ id: z.string(), status: z.enum(['pending', 'approved', 'rejected', 'sent']) })
    .loose()
  return [
    operation({
      id: 'drafts.create',
      method: 'POST',
      path: '/api/v1/mail/drafts',
      summary: 'Writes a draft, which waits for approval.',
      evidence,
      status: 201,
      response,
      body: z.object({
        agent: z.string(),
        to: addresses,
        cc: addresses.optional(),
        subject: z.string().optional(),
        text: z.string().optional(),
        html: z.string().optional(),
        in_reply_to: z.string().optional(),
      }),
      perform({ body, state, world, now, notFound }) {
        const agent = world.identity(body.agent) ?? notFound('agent', body.agent)
        const id = `draft_${state.list('drafts/').length + 1}`
        const draft: Draft = { id, ...body, agent: agent.agent_handle, status: 'pending', created_at: now() }
        state.set(`drafts/${id}`, draft)
        return draft
      },
    }),

    operation({
      id: 'drafts.list',
      method: 'GET',
      path: '/api/v1/mail/drafts',
      summary: 'Lists the drafts of one agent, or of all.',
      evidence,
      query: z.object({ agent: z.string().optional(), status: z.string().optional() }),
      response: z.object({ drafts: z.array(response), total: z.number() }),
      perform({ query, state }) {
        const all = state.list<Draft>('drafts/').map(({ value }) => value)
        const drafts = all.filter((draft) => {
          return (
            draft.agent === (query.agent ?? draft.agent) && draft.status === (query.status ?? draft.status)
          )
        })
        return { drafts, total: drafts.length }
      },
    }),

    operation({
      id: 'drafts.get',
      method: 'GET',
      path: '/api/v1/mail/drafts/{draft_id}',
      summary: 'Returns one draft.',
      evidence,
      response,
      perform: ({ params, state, notFound }) =>
        state.get<Draft>(`drafts/${params.draft_id}`) ?? notFound('draft', params.draft_id),
    }),

    operation({
      id: 'drafts.send',
      method: 'POST',
      path: '/api/v1/mail/drafts/{draft_id}/send',
      summary: 'Sends an approved draft.',
      evidence,
      response,
      perform({ params, state, send, refuse, notFound }) {
        const draft = state.get<Draft>(`drafts/${params.draft_id}`) ?? notFound('draft', params.draft_id)
        const { id, agent, to, cc, subject, text, html, in_reply_to, status, reason } = draft
        if (status !== 'approved') {
          refuse(
            409,
            `The draft ${id} is ${status}${reason ? ` (${reason})` : ''}; only an approved one is sent.`,
          )
        }
        const message = send({ from: agent, to, cc, subject, text, html, in_reply_to })
        const sent: Draft = { ...draft, status: 'sent', message_id: message.id }
        state.set(`drafts/${id}`, sent)
        return sent
      },
    }),
  ]
})
