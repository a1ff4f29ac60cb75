/**
 * Operations that mailbox services commonly have beyond the five that the interface shows. None of them is documented:
 * each says where it was seen, and leaves what is not known as a gap. Copy this file to change it:
 * docs/extensions.md tells how.
 */
import { defineExtension } from 'agent-mailbox-sim'

const seen = {
  si: 'Seen at SI, a public reference with the same paths and fields (wirebox-sh/docs at b341caa).',
  rest: 'Follows from the documented collection by the usual form of resources in HTTP APIs.',
  several: 'Seen at several comparable services (AgentMail, Inkbox), in differing forms.',
}

export default defineExtension(({ operation, gap, z }) => {
  const sendStatus = gap({
    id: 'common.send-status',
    question: 'Which status has the answer to mail that was sent or answered?',
    readings: { created: 'Answers 201.', accepted: 'Answers 202.', ok: 'Answers 200.' },
    advice: 'Take any status from 200 to 299 for success.',
    evidence: 'Comparable services answer 200, 201 and 202.',
    concerns: ['messages.send', 'messages.reply'],
  })
  const createStatus = gap({
    id: 'common.create-status',
    question: 'Which status has the answer to an identity or a webhook that was created?',
    readings: { created: 'Answers 201.', ok: 'Answers 200.' },
    advice: 'Take any status from 200 to 299 for success.',
    evidence: 'Comparable services answer 200 and 201.',
    concerns: ['identities.create', 'webhooks.create'],
  })
  const deleteAnswer = gap({
    id: 'common.delete-answer',
    question: 'What is the answer to a deletion?',
    readings: {
      'no-content': 'Answers 204 without a body.',
      deleted: 'Answers 200 with `{"id": "…", "deleted": true}`.',
    },
    advice: 'Take any status from 200 to 299 for success, and do not read the body.',
    concerns: ['identities.delete', 'webhooks.delete'],
  })
  const sentAnswer = gap({
    id: 'common.sent-answer',
    question: 'What does the answer to sent mail carry?',
    readings: {
      message: 'The message as the list of messages shows it.',
      ids: 'The ids of message and thread: `{"message_id": "…", "thread_id": "…"}`.',
    },
    advice: 'Take the id from `id`, else from `message_id`.',
    evidence: 'AgentMail answers with ids.',
    concerns: ['messages.send', 'messages.reply'],
  })
  const tokenOnce = gap({
    id: 'common.token-shown',
    question: 'Does reading one webhook show its auth_token?',
    readings: { shown: 'As the list does.', hidden: 'Only the list and the creation show it.' },
    advice: 'Keep the token from when the webhook was created.',
    concerns: ['webhooks.get', 'webhooks.update'],
  })

  const outgoing = {
    to: z.union([z.string(), z.array(z.string()).min(1)]).transform((to) => [to].flat()),
    text: z.string().optional(),
    html: z.string().optional(),
  }
  const events = z.array(z.enum(['message.received', 'message.delivered', 'message.bounced'])).min(1)
  const webhookUrl = z.url({ protocol: /^https?$/ })

  return [
    operation({
      id: 'threads.get',
      method: 'GET',
      path: '/api/v1/mail/threads/{thread_id}',
      summary: 'Get one thread',
      evidence: seen.rest,
      response: 'Thread',
      perform({ params, world, render, notFound }) {
        const thread = world.thread(params.thread_id)
        return thread ? render.thread(thread) : notFound('thread', params.thread_id)
      },
    }),

    operation({
      id: 'threads.update',
      method: 'PATCH',
      path: '/api/v1/mail/threads/{thread_id}',
      summary: 'Mark a thread read or unread',
      evidence: seen.rest,
      body: z.object({ unread: z.boolean() }),
      response: 'Thread',
      perform({ params, body, world, apply, render, notFound }) {
        if (!world.thread(params.thread_id)) notFound('thread', params.thread_id)
        return render.thread(
          apply({ type: 'set-thread-unread', thread_id: params.thread_id, unread: body.unread }),
        )
      },
    }),

    ...(['read', 'unread'] as const).map((state) =>
      operation({
        id: `threads.mark-${state}`,
        method: 'POST',
        path: `/api/v1/mail/threads/{thread_id}/${state}`,
        summary: `Mark a thread ${state}`,
        evidence: seen.several,
        response: 'Thread',
        perform({ params, world, apply, render, notFound }) {
          const { thread_id } = params as { thread_id: string }
          if (!world.thread(thread_id)) notFound('thread', thread_id)
          return render.thread(apply({ type: 'set-thread-unread', thread_id, unread: state === 'unread' }))
        },
      }),
    ),

    operation({
      id: 'messages.get',
      method: 'GET',
      path: '/api/v1/mail/messages/{message_id}',
      summary: 'Get one message',
      evidence: seen.rest,
      response: 'Message',
      perform({ params, world, render, notFound }) {
        const message = world.message(params.message_id)
        return message ? render.message(message) : notFound('message', params.message_id)
      },
    }),

    operation({
      id: 'messages.send',
      method: 'POST',
      path: '/api/v1/mail/messages',
      summary: 'Send mail',
      evidence: seen.several,
      body: z.object({
        agent: z.string().describe('Handle of the agent that sends it'),
        subject: z.string().default(''),
        thread_id: z.string().optional(),
        ...outgoing,
      }),
      perform({ body, world, send, render, settle, reply, notFound }) {
        if (body.thread_id !== undefined && !world.thread(body.thread_id)) notFound('thread', body.thread_id)
        const status = settle(sendStatus, { created: () => 201, accepted: () => 202, ok: () => 200 })
        const shows = settle(sentAnswer, { message: () => 'message', ids: () => 'ids' })
        const { agent: from, ...mail } = body
        const sent = send({ from, ...mail })
        const ids = { message_id: sent.id, thread_id: sent.thread_id }
        return reply(status, shows === 'ids' ? ids : render.message(sent))
      },
    }),

    operation({
      id: 'messages.reply',
      method: 'POST',
      path: '/api/v1/mail/messages/{message_id}/reply',
      summary: 'Answer a message',
      evidence: seen.several,
      body: z.object({ ...outgoing, to: outgoing.to.optional() }),
      perform({ params, body, world, send, render, settle, reply, notFound }) {
        const message = world.message(params.message_id) ?? notFound('message', params.message_id)
        const status = settle(sendStatus, { created: () => 201, accepted: () => 202, ok: () => 200 })
        const shows = settle(sentAnswer, { message: () => 'message', ids: () => 'ids' })
        const correspondent = /<([^<>]+)>$/.exec(message.from)?.[1] ?? message.from
        const subject = /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`
        const sent = send({
          from: message.identity_id,
          to: body.to ?? (message.direction === 'inbound' ? [correspondent] : message.to),
          subject,
          text: body.text,
          html: body.html,
          in_reply_to: message.id,
          thread_id: message.thread_id,
        })
        const ids = { message_id: sent.id, thread_id: sent.thread_id }
        return reply(status, shows === 'ids' ? ids : render.message(sent))
      },
    }),

    operation({
      id: 'identities.list',
      method: 'GET',
      path: '/api/v1/identities',
      summary: 'List identities',
      evidence: seen.si,
      perform({ world, render }) {
        const identities = world.identities().map(render.identity)
        return { identities, total: identities.length }
      },
    }),

    operation({
      id: 'identities.create',
      method: 'POST',
      path: '/api/v1/identities',
      summary: 'Create an identity with its mailbox',
      evidence: seen.si,
      body: z.object({
        agent_handle: z.string(),
        display_name: z.string().optional(),
        description: z.string().optional(),
      }),
      response: 'Identity',
      perform({ body, organization, apply, render, settle, reply }) {
        const status = settle(createStatus, { created: () => 201, ok: () => 200 })
        const handle = body.agent_handle.replace(/^@/, '')
        const created = apply({
          type: 'create-identity',
          organization_id: organization.id,
          ...body,
          agent_handle: handle,
        })
        return reply(status, render.identity(created))
      },
    }),

    operation({
      id: 'identities.delete',
      method: 'DELETE',
      path: '/api/v1/identities/{handle}',
      summary: 'Delete an identity with its mailbox',
      evidence: seen.si,
      perform({ params, world, apply, settle, reply, notFound }) {
        const { id } = world.identity(params.handle) ?? notFound('agent', params.handle)
        const shows = settle(deleteAnswer, { 'no-content': () => false, deleted: () => true })
        apply({ type: 'delete-identity', identity_id: id })
        return shows ? { id, deleted: true } : reply(204)
      },
    }),

    operation({
      id: 'webhooks.create',
      method: 'POST',
      path: '/api/v1/webhooks',
      summary: 'Create a webhook subscription',
      evidence: seen.si,
      body: z.object({
        url: webhookUrl,
        events,
        agent_handle: z.string().nullable().optional(),
        auth_token: z.string().min(1).nullable().optional(),
      }),
      response: 'Webhook',
      perform({ body, organization, apply, render, settle, reply }) {
        const status = settle(createStatus, { created: () => 201, ok: () => 200 })
        const handle = body.agent_handle?.replace(/^@/, '') ?? null
        const created = apply({
          type: 'create-webhook',
          organization_id: organization.id,
          ...body,
          agent_handle: handle,
        })
        return reply(status, render.webhook(created))
      },
    }),

    operation({
      id: 'webhooks.get',
      method: 'GET',
      path: '/api/v1/webhooks/{webhook_id}',
      summary: 'Get one webhook subscription',
      evidence: seen.rest,
      response: 'Webhook',
      perform({ params, world, render, settle, notFound }) {
        const webhook = world.webhook(params.webhook_id) ?? notFound('webhook', params.webhook_id)
        const { auth_token, ...others } = render.webhook(webhook)
        return settle(tokenOnce, { shown: () => ({ ...others, auth_token }), hidden: () => others })
      },
    }),

    operation({
      id: 'webhooks.update',
      method: 'PATCH',
      path: '/api/v1/webhooks/{webhook_id}',
      summary: 'Update a webhook subscription',
      evidence: seen.rest,
      body: z.object({
        url: webhookUrl.optional(),
        events: events.optional(),
        agent_handle: z.string().nullable().optional(),
        auth_token: z.string().min(1).nullable().optional(),
      }),
      response: 'Webhook',
      perform({ params, body, world, apply, render, settle, notFound }) {
        if (!world.webhook(params.webhook_id)) notFound('webhook', params.webhook_id)
        const shows = settle(tokenOnce, { shown: () => true, hidden: () => false })
        const updated = apply({ type: 'update-webhook', webhook_id: params.webhook_id, ...body })
        const { auth_token, ...others } = render.webhook(updated)
        return shows ? { ...others, auth_token } : others
      },
    }),

    operation({
      id: 'webhooks.delete',
      method: 'DELETE',
      path: '/api/v1/webhooks/{webhook_id}',
      summary: 'Delete a webhook subscription',
      evidence: seen.rest,
      perform({ params, world, apply, settle, reply, notFound }) {
        const { id } = world.webhook(params.webhook_id) ?? notFound('webhook', params.webhook_id)
        const shows = settle(deleteAnswer, { 'no-content': () => false, deleted: () => true })
        apply({ type: 'delete-webhook', webhook_id: id })
        return shows ? { id, deleted: true } : reply(204)
      },
    }),

    operation({
      id: 'keys.whoami',
      method: 'GET',
      path: '/api/v1/whoami',
      summary: 'Tell whose key it is',
      evidence: seen.several,
      perform({ organization, world }) {
        const agents = world.identities().map(({ agent_handle }) => agent_handle)
        return { organization: { id: organization.id, name: organization.name }, agents }
      },
    }),
  ]
})
