import type { AttachmentEntry, Identity, Message, Webhook } from 'agent-mailbox-sim'

/** A 200 of any operation. */
type Body = Partial<Identity> & {
  readonly messages?: readonly Message[]
  readonly webhooks?: readonly Webhook[]
}

/** The kinds of the fields that depend on assumptions, e.g. `Message.html null`. */
export function kindsIn(answer: unknown): string[] {
  const { messages = [], webhooks = [], ...rest } = answer as Body
  const identity = 'mailbox_address' in rest ? [`Identity.display_name ${kindOf(rest.display_name)}`] : []
  return [...identity, ...messages.flatMap(kindsInMessage), ...webhooks.flatMap(kindsInWebhook)]
}

function kindsInMessage({ text, html, headers, direction, attachments }: Message): string[] {
  return [
    `Message.text ${kindOf(text)}`,
    `Message.html ${kindOf(html)}`,
    `Message.headers ${kindOf(headers)}`,
    `Message.direction ${direction}`,
    ...attachments.flatMap(kindsInEntry),
  ]
}

function kindsInEntry({ url, filename, content_id }: AttachmentEntry): string[] {
  return [
    `AttachmentEntry.url ${kindOf(url)}`,
    `AttachmentEntry.filename ${kindOf(filename)}`,
    `AttachmentEntry.content_id ${kindOf(content_id)}`,
  ]
}

function kindsInWebhook({ agent_handle, auth_token }: Webhook): string[] {
  return [`Webhook.agent_handle ${kindOf(agent_handle)}`, `Webhook.auth_token ${kindOf(auth_token)}`]
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === '') return 'empty'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
