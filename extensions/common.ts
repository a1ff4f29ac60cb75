/**
 * Operations that mailbox services commonly have, beyond the five that the interface documents. Each says where it was
 * seen, and leaves what is not known as a gap. To change them, copy this file: see docs/extensions.md.
 */
import { defineExtension, type ExtensionContext, type MailToSend } from 'agent-mailbox-sim'

const seen = {
  si: 'Seen at wirebox-sh/docs, a public reference with the same paths and fields (commit b341caa).',
  rest: 'Follows from the documented collection by the usual form of resources in HTTP APIs.',
  several: 'Seen at several comparable services (AgentMail, Inkbox), in differing forms.',
}

type Context = ExtensionContext<unknown, unknown, unknown>
type Message = NonNullable<ReturnType<Context['world']['message']>>

const sending = ['messages.send', 'messages.reply', 'messages.reply-all', 'messages.forward']

export default defineExtension((tools) => {
  const { gap, fields, z } = tools
  const sendStatus = gap({
    id: 'common.send-status',
    question: 'Which status does the response to sending or replying have?',
    assumptions: { created: 'Answers 201.', accepted: 'Answers 202.', ok: 'Answers 200.' },
    advice: 'Treat any status from 200 to 299 as success.',
    evidence: 'Comparable services respond with 200, 201 or 202.',
    concerns: sending,
  })
  const createStatus = gap({
    id: 'common.create-status',
    question: 'Which status does the response to creating an identity or a webhook have?',
    assumptions: { created: 'Answers 201.', ok: 'Answers 200.' },
    advice: 'Treat any status from 200 to 299 as success.',
    evidence: 'Comparable services respond with 200 or 201.',
    concerns: ['identities.create', 'webhooks.create'],
  })
  const deleteAnswer = gap({
    id: 'common.delete-answer',
    question: 'What is the response to a deletion?',
    assumptions: {
      'no-content': 'It is 204 without a body.',
      deleted: 'It is 200 with `{"id": "…", "deleted": true}`.',
    },
    advice: 'Treat any status from 200 to 299 as success, and do not read the body.',
    concerns: ['identities.delete', 'webhooks.delete'],
  })
  const sentAnswer = gap({
    id: 'common.sent-answer',
    question: 'What does the response to sending mail contain?',
    assumptions: {
      message: 'The message as the list of messages shows it.',
      ids: 'The ids of the message and its thread: `{"message_id": "…", "thread_id": "…"}`.',
    },
    advice: 'Take the id from `id`, else from `message_id`.',
    evidence: 'AgentMail responds with ids.',
    concerns: sending,
  })
  const recipientFields = gap({
    id: 'common.recipient-fields',
    question: 'Where does a message show its Cc, Bcc and Reply-To?',
    assumptions: {
      hidden: 'Only in the header fields, if they appear.',
      fields: 'In the lists `cc`, `bcc` and `reply_to` beside `to`, each only if it is not empty.',
      headers: 'In `headers`, an object with only these fields, unless `messages.headers` shows all.',
    },
    worst: 'hidden',
    advice: 'To reply to everybody, use `reply-all`. Keep your own list of whom you copied.',
    evidence: 'AgentMail and Resend show fields; the documented message has none.',
    concerns: ['messages.list', 'messages.get', ...sending, 'events'],
  })
  const quoting = gap({
    id: 'common.quoting',
    question: 'Does a reply quote the message that it replies to?',
    assumptions: {
      never: 'It contains only what was sent.',
      below: 'The message follows the text, with `> ` before each line, and follows the HTML as a quotation.',
    },
    worst: 'below',
    advice: 'Look for new text above the first quoted line, and quote nothing yourself.',
    evidence: 'Mail programs quote; services that send for programs mostly send what they are given.',
    concerns: ['messages.reply', 'messages.reply-all'],
  })
  const tokenShown = gap({
    id: 'common.token-shown',
    question: 'Does reading one webhook show its auth_token?',
    assumptions: {
      shown: 'As the list does.',
      hidden: 'Only the list and the response to its creation show it.',
    },
    advice: 'Store the token when the webhook is created.',
    concerns: ['webhooks.get', 'webhooks.update'],
  })

  const creating = [...sending, 'identities.create', 'webhooks.create']
  const keys = gap({
    id: 'common.idempotency',
    question: 'What happens to a second request with the same Idempotency-Key?',
    assumptions: {
      ignored: 'The key has no effect: the request is performed again.',
      replayed: 'For 24 hours, it gets the response of the first and has no effect.',
    },
    worst: 'ignored',
    advice:
      'Send a key with whatever must not happen twice, and the same key when you repeat it; if that may be ignored, look for the result of the first request before you repeat it.',
    evidence: 'Resend documents the header field, with keys that last for 24 hours; many services ignore it.',
    concerns: creating,
  })
  const keyMismatch = gap({
    id: 'common.idempotency-mismatch',
    question: 'What if a request with the same Idempotency-Key has another body?',
    assumptions: {
      ignored: 'The difference is not noticed: it gets the response of the first.',
      conflict: 'Refused with 409.',
      unprocessable: 'Refused with 422.',
    },
    worst: 'ignored',
    advice: 'Create a new key for each action, and repeat a request with exactly the same body.',
    evidence: 'Resend responds with 409; the IETF draft on the header field suggests 422.',
    concerns: creating,
  })

  const localDelivery = gap({
    id: 'common.local-delivery',
    question: 'Does mail to an agent of the same organization arrive in its mailbox?',
    assumptions: {
      delivered: 'It arrives immediately, even what an agent sends to itself.',
      'not-delivered': 'It does not arrive; only the sender has it.',
    },
    worst: 'delivered',
    advice:
      'Never reply to your own address or to automatic mail, and limit how often you reply in one conversation.',
    evidence: 'Mail servers deliver it; some agent services keep mail between agents out of their mailboxes.',
    concerns: sending,
  })
  const unknownFields = gap({
    id: 'common.unknown-fields',
    question: 'What happens to a body field that the operation does not know?',
    assumptions: { ignored: 'It has no effect.', rejected: 'The whole request is refused.' },
    advice: 'Send only fields that have an effect; the response shows those that had one.',
    evidence: 'Most services ignore them; Resend and Postmark refuse some.',
    concerns: [...creating, 'threads.update', 'webhooks.update'],
  })
  // No operation has parameters in the query.
  const operation: typeof tools.operation = (input) =>
    tools.operation({ query: z.object({}), unknownFields, ...input } as typeof input)

  const areLines = (list: string | readonly string[]) => [list].flat().every((one) => !/[\r\n]/.test(one))
  const eachALine = 'expected each address in one line'
  const optionalAddresses = z
    .union([z.string(), z.array(z.string())])
    .refine(areLines, eachALine)
    .transform((list) => [list].flat().filter((one) => one !== ''))
    .transform((list) => (list.length === 0 ? undefined : list))
    .optional()
  const hasRecipient = ({ to, cc, bcc }: { to?: unknown; cc?: unknown; bcc?: unknown }) =>
    (to ?? cc ?? bcc) !== undefined
  const noRecipient = { path: ['to'], error: 'expected a recipient in "to", "cc" or "bcc"' }
  const someText = z.string().min(1, 'expected a text that is not empty')
  const file = z.object({
    filename: someText,
    content_type: someText.optional().describe('Media type, such as text/plain'),
    content: z.base64().describe('The file in base64'),
    content_id: z.string().optional().describe('What the HTML refers to it by, as cid:…'),
  })
  const oneLine = z.string().regex(/^[^\r\n]*$/, 'expected one line')
  const isOwnHeader = (headers: object) => Object.keys(headers).every((name) => /^X-[!-9;-~]+$/i.test(name))
  const outgoing = {
    cc: optionalAddresses.describe('Addresses that get a copy'),
    bcc: optionalAddresses.describe('Addresses that get a copy that the others do not see'),
    reply_to: optionalAddresses.describe('Addresses that replies go to instead of the sender'),
    subject: oneLine.optional().describe('Subject'),
    text: z.string().optional().describe('Body as plain text'),
    html: z.string().optional().describe('Body as HTML'),
    attachments: z
      .union([file, z.array(file)])
      .transform((list) => [list].flat())
      .optional()
      .describe('A file to attach, or a list of them'),
    headers: z
      .record(z.string(), oneLine)
      .refine(isOwnHeader, 'only X-… can be set, the other header fields follow from the mail')
      .optional()
      .describe('Further header fields by name, each X-…'),
  }
  const events = z
    .array(z.enum(['message.received', 'message.delivered', 'message.bounced']))
    .min(1)
    .describe('The events that are sent to the URL')
  const webhookUrl = z.url({ protocol: /^https?$/ }).describe('Where events are sent')
  const scope = z.string().nullable().optional().describe('Only events of this agent handle')
  const token = z.string().min(1).nullable().optional().describe('Secret that is sent with each event')

  // Whether a request gets the response of an earlier one with its Idempotency-Key.
  const idempotency = ({ settle, refuse }: Context, { isSame }: { isSame: boolean }): boolean => {
    const answersAgain = settle(keys, { ignored: () => false, replayed: () => true })
    if (!answersAgain || isSame) return answersAgain
    const reason = 'An earlier request with this Idempotency-Key had another body.'
    return settle(keyMismatch, {
      ignored: () => true,
      conflict: () => refuse(409, reason),
      unprocessable: () => refuse(422, reason),
    })
  }

  // Each of these decides before it changes anything: settle() evaluates every branch.
  const answerSent = (context: Context, mail: MailToSend) => {
    const { settle, render, reply, send, world } = context
    const status = settle(sendStatus, { created: () => 201, accepted: () => 202, ok: () => 200 })
    const carries = settle(sentAnswer, { message: () => 'message', ids: () => 'ids' })
    const recipients = [mail.to, mail.cc ?? [], mail.bcc ?? []].flat()
    const isLocal = recipients.some((one) => world.identity(/<([^<>]+)>/.exec(one)?.[1] ?? one))
    // Certain: not this response would differ, but what the colleague finds.
    const local_delivery =
      isLocal && settle(localDelivery, { delivered: () => true, 'not-delivered': () => false }, 'certain')
    const sent = send({ ...mail, local_delivery })
    const ids = { message_id: sent.id, thread_id: sent.thread_id }
    return reply(status, carries === 'ids' ? ids : render.message(sent))
  }
  const messageOf = ({
    params,
    world,
    notFound,
  }: ExtensionContext<{ message_id: string }, unknown, unknown>) =>
    world.message(params.message_id) ?? notFound('message', params.message_id)

  /** Returns whom a reply goes to: the sender or, if the agent sent the message itself, those it was sent to. */
  const addressees = ({ world, reject }: Context, message: Message, toAll: boolean) => {
    const { from, to, cc, reply_to } = world.addressesOf(message)
    const isSent = message.direction === 'outbound'
    const first = isSent ? to : reply_to.length > 0 ? reply_to : from
    if (first.length === 0)
      reject(`The message "${message.id}" has no sender who could be answered; give "to".`)
    // The agent does not write to itself, nor twice to anybody; the case of letters makes no difference.
    const written = new Set([world.identity(message.identity_id)?.mailbox_address.toLowerCase()])
    const others = (list: readonly string[]) =>
      list.filter((one) => !written.has(one.toLowerCase()) && written.add(one.toLowerCase()))
    const [all, copies] = toAll ? [others([...first, ...to]), others(cc)] : [[], []]
    if (all.length + copies.length === 0) return { to: [...first] }
    return all.length > 0 ? { to: all, cc: copies } : { to: copies }
  }

  /** Returns a subject with the mark of a reply or of forwarded mail, once. */
  const marked = (mark: 'Re' | 'Fwd', { subject }: Message) =>
    (mark === 'Re' ? /^re:/i : /^fwd?:/i).test(subject) ? subject : `${mark}: ${subject}`

  type Words = Pick<MailToSend, 'text' | 'html'>
  const escaped = (plain: string) =>
    plain.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\n/g, '<br>\n')
  const inHtml = (paragraphs: readonly string[]) => paragraphs.join('\n<br><br>\n')
  /** Returns the header fields of a message that have these names, in this order. */
  const headOf = ({ world }: Context, message: Message, ...names: readonly string[]) => {
    const fields = world.headersOf(message)
    return names.flatMap((name) => fields.filter(([one]) => one.toLowerCase() === name.toLowerCase()))
  }

  /** Returns a reply with the message that it replies to below, as mail programs quote it. */
  const quoted = (context: Context, message: Message, { text, html }: Words): Words => {
    const original = context.world.textOf(message)
    const [[, date] = ['', ''], [, from] = ['', '']] = headOf(context, message, 'Date', 'From')
    const said = `On ${date}, ${from} wrote:`
    const lines = original.trimEnd().split('\n')
    const quotation = `<blockquote>${context.world.bodyOf(message).html ?? escaped(original)}</blockquote>`
    return {
      text: html && !text ? text : [text ?? '', '', said, ...lines.map((line) => `> ${line}`)].join('\n'),
      html: html && inHtml([html, `${escaped(said)}\n${quotation}`]),
    }
  }

  /** Returns the contents of a message with its header above, as mail programs pass it on below a comment. */
  const forwarded = (context: Context, message: Message, comment: Words): Words => {
    const shown = headOf(context, message, 'From', 'Date', 'Subject', 'To', 'Cc')
    const head = ['---------- Forwarded message ----------', ...shown.map((field) => field.join(': '))]
    const { html } = context.world.bodyOf(message)
    const text = context.world.textOf(message)
    const above = !comment.text ? [] : [comment.text, '']
    const paragraphs = [
      comment.html ?? escaped(comment.text ?? ''),
      escaped(head.join('\n')),
      html ?? escaped(text),
    ]
    return {
      text: [...above, ...head, '', text].join('\n'),
      html: html === null && !comment.html ? undefined : inHtml(paragraphs),
    }
  }

  const answerCreated = ({ settle, reply }: Context, create: () => unknown) => {
    const status = settle(createStatus, { created: () => 201, ok: () => 200 })
    return reply(status, create())
  }
  const mark = ({ world, apply, render, notFound }: Context, thread_id: string, unread: boolean) => {
    if (!world.thread(thread_id)) notFound('thread', thread_id)
    return render.thread(apply({ type: 'set-thread-unread', thread_id, unread }))
  }
  const answerDeleted = ({ settle, reply }: Context, id: string, remove: () => unknown) => {
    const tells = settle(deleteAnswer, { 'no-content': () => false, deleted: () => true })
    remove()
    return tells ? reply(200, { id, deleted: true }) : reply(204)
  }
  const answerWebhook = ({ settle, render }: Context, find: () => Parameters<typeof render.webhook>[0]) => {
    const shows = settle(tokenShown, { shown: () => true, hidden: () => false })
    const { auth_token, ...others } = render.webhook(find())
    return shows ? { ...others, auth_token } : others
  }

  return [
    fields({
      of: 'Message',
      schema: z.object({
        cc: z.array(z.string()).optional(),
        bcc: z.array(z.string()).optional().describe('Only in mail that the agent sent'),
        reply_to: z.array(z.string()).optional(),
      }),
      add({ row, shown, settle, addressesOf }) {
        const { cc, bcc, reply_to } = addressesOf(row)
        const lists = Object.entries({ cc, bcc, reply_to }).filter(([, list]) => list.length > 0)
        const header = lists.map(([name, list]) => [name.replace('_', '-'), list.join(', ')])
        return settle(recipientFields, {
          hidden: () => ({}),
          fields: () => Object.fromEntries(lists),
          headers: () => (shown.headers || lists.length === 0 ? {} : { headers: Object.fromEntries(header) }),
        })
      },
    }),

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
      body: z.object({ unread: z.boolean().describe('Whether it is unread') }),
      response: 'Thread',
      perform: (context) => mark(context, context.params.thread_id, context.body.unread),
    }),

    ...(['read', 'unread'] as const).map((state) =>
      operation({
        id: `threads.mark-${state}`,
        method: 'POST',
        path: `/api/v1/mail/threads/{thread_id}/${state}`,
        summary: `Mark a thread ${state}`,
        evidence: seen.several,
        response: 'Thread',
        perform: (context) => mark(context, String(context.params.thread_id), state === 'unread'),
      }),
    ),

    operation({
      id: 'messages.get',
      method: 'GET',
      path: '/api/v1/mail/messages/{message_id}',
      summary: 'Get one message',
      evidence: seen.rest,
      response: 'Message',
      perform: (context) => context.render.message(messageOf(context)),
    }),

    operation({
      id: 'messages.raw',
      method: 'GET',
      path: '/api/v1/mail/messages/{message_id}/raw',
      summary: 'Get one message in RFC 5322 format, byte for byte as it was received',
      evidence: seen.several,
      perform(context) {
        const raw = context.world.rawOf(messageOf(context))
        return new Response(raw as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'message/rfc822' } })
      },
    }),

    operation({
      id: 'messages.send',
      method: 'POST',
      path: '/api/v1/mail/messages',
      summary: 'Send mail',
      evidence: seen.several,
      status: 201,
      response: 'Message',
      body: z
        .object({
          agent: z.string().describe('Handle of the agent that sends it'),
          to: optionalAddresses.describe('Address of the recipient, or a list of them'),
          thread_id: z.string().optional().describe('Id of the conversation that it belongs to'),
          in_reply_to: z.string().optional().describe('Id or Message-ID of the message that it replies to'),
          ...outgoing,
        })
        .refine(hasRecipient, noRecipient),
      idempotency,
      perform(context) {
        const { body, world, notFound } = context
        if (body.thread_id !== undefined && !world.thread(body.thread_id)) notFound('thread', body.thread_id)
        const { agent: from, in_reply_to = '', to = [], ...mail } = body
        const thread_id = mail.thread_id ?? world.message(in_reply_to)?.thread_id
        return answerSent(context, { from, to, ...mail, thread_id, ...(in_reply_to && { in_reply_to }) })
      },
    }),

    ...(['reply', 'reply-all'] as const).map((reply) =>
      operation({
        id: `messages.${reply}`,
        method: 'POST',
        path: `/api/v1/mail/messages/{message_id}/${reply}`,
        summary: reply === 'reply' ? 'Reply to a message' : 'Reply to all recipients of a message',
        evidence: seen.several,
        status: 201,
        response: 'Message',
        body: z.object({
          to: optionalAddresses.describe('Other recipients than those that the message has'),
          ...outgoing,
        }),
        idempotency,
        perform(context) {
          const message = messageOf(context)
          const { to, ...mail } = context.body
          const words = context.settle(quoting, {
            never: () => mail,
            below: () => quoted(context, message, mail),
          })
          const answer = {
            from: message.identity_id,
            subject: marked('Re', message),
            ...(to ? { to } : addressees(context, message, reply === 'reply-all')),
            ...mail,
            ...words,
            in_reply_to: message.id,
            thread_id: message.thread_id,
          }
          return answerSent(context, answer)
        },
      }),
    ),

    operation({
      id: 'messages.forward',
      method: 'POST',
      path: '/api/v1/mail/messages/{message_id}/forward',
      summary: 'Forward a message to others',
      evidence: seen.several,
      status: 201,
      response: 'Message',
      body: z
        .object({
          to: optionalAddresses.describe('Address of the recipient, or a list of them'),
          ...outgoing,
        })
        .refine(hasRecipient, noRecipient),
      idempotency,
      perform(context) {
        const { body, world } = context
        const message = messageOf(context)
        const branches = { stays: () => message.thread_id, 'begins-a-thread': () => undefined }
        const mail = {
          ...body,
          to: body.to ?? [],
          thread_id: context.settle('threads.forward', branches, 'certain'),
          from: message.identity_id,
          subject: body.subject ?? marked('Fwd', message),
          ...forwarded(context, message, body),
          attachments: [...(body.attachments ?? []), ...world.attachmentsOf(message)],
        }
        return answerSent(context, mail)
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
      status: 201,
      body: z.object({
        agent_handle: z.string().describe('Handle of the new agent'),
        display_name: z.string().optional().describe('Name that mail shows'),
        description: z.string().optional().describe('What the agent does'),
      }),
      response: 'Identity',
      idempotency,
      perform(context) {
        const { body, organization, apply, render } = context
        const agent_handle = body.agent_handle.replace(/^@/, '')
        const identity = { ...body, agent_handle, organization_id: organization.id }
        return answerCreated(context, () => render.identity(apply({ type: 'create-identity', ...identity })))
      },
    }),

    operation({
      id: 'identities.delete',
      method: 'DELETE',
      path: '/api/v1/identities/{handle}',
      summary: 'Delete an identity with its mailbox',
      evidence: seen.si,
      status: 204,
      perform(context) {
        const { params, world, apply, notFound } = context
        const { id } = world.identity(params.handle) ?? notFound('agent', params.handle)
        return answerDeleted(context, id, () => apply({ type: 'delete-identity', identity_id: id }))
      },
    }),

    operation({
      id: 'webhooks.create',
      method: 'POST',
      path: '/api/v1/webhooks',
      summary: 'Create a webhook subscription',
      evidence: seen.si,
      status: 201,
      body: z.object({
        url: webhookUrl,
        events,
        agent_handle: scope,
        auth_token: token,
      }),
      response: 'Webhook',
      idempotency,
      perform(context) {
        const { body, organization, apply, render } = context
        const agent_handle = body.agent_handle?.replace(/^@/, '') ?? null
        const webhook = { ...body, agent_handle, organization_id: organization.id }
        return answerCreated(context, () => render.webhook(apply({ type: 'create-webhook', ...webhook })))
      },
    }),

    operation({
      id: 'webhooks.get',
      method: 'GET',
      path: '/api/v1/webhooks/{webhook_id}',
      summary: 'Get one webhook subscription',
      evidence: seen.rest,
      response: 'Webhook',
      perform(context) {
        const { params, world, notFound } = context
        const webhook = world.webhook(params.webhook_id) ?? notFound('webhook', params.webhook_id)
        return answerWebhook(context, () => webhook)
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
        agent_handle: scope,
        auth_token: token,
      }),
      response: 'Webhook',
      perform(context) {
        const { params, body, world, apply, notFound } = context
        const { id } = world.webhook(params.webhook_id) ?? notFound('webhook', params.webhook_id)
        return answerWebhook(context, () => apply({ type: 'update-webhook', webhook_id: id, ...body }))
      },
    }),

    operation({
      id: 'webhooks.delete',
      method: 'DELETE',
      path: '/api/v1/webhooks/{webhook_id}',
      summary: 'Delete a webhook subscription',
      evidence: seen.rest,
      status: 204,
      perform(context) {
        const { params, world, apply, notFound } = context
        const { id } = world.webhook(params.webhook_id) ?? notFound('webhook', params.webhook_id)
        return answerDeleted(context, id, () => apply({ type: 'delete-webhook', webhook_id: id }))
      },
    }),

    operation({
      id: 'keys.whoami',
      method: 'GET',
      path: '/api/v1/whoami',
      summary: 'Show the owner of the key',
      evidence: seen.several,
      response: z.object({
        organization: z.object({ id: z.string(), name: z.string() }),
        agents: z.array(z.string()),
      }),
      perform({ organization, world }) {
        const agents = world.identities().map(({ agent_handle }) => agent_handle)
        return { organization: { id: organization.id, name: organization.name }, agents }
      },
    }),
  ]
})
