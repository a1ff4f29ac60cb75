import { z } from '../../base/schema.js'
import { formatMailbox, parseMailboxList } from '../../mail/address.js'
import { headerOfRow } from '../../service/world/commands/mail-fields.js'
import { mailInForms, mailOf } from '../compile/mail.js'
import { fieldAt } from '../compile/parts.js'
import { mailFields } from '../format/mail.js'
import { handle, key, oneOrMore, template } from '../format/values.js'
import { defineAction } from './action.js'
import { contentOf, destinationOf, outsideOf, receiptOf } from './mail.js'

const outgoingMail = z
  .strictObject({
    from: handle.optional().describe('The agent; by default the owner of the thread.'),
    thread: key
      .optional()
      .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
    to: oneOrMore(template)
      .optional()
      .describe('Recipients; by default those of the `eml`, or the person who wrote in that thread.'),
    ...mailFields,
  })
  .meta({ id: 'send', title: 'send', description: 'A message that an agent sends.' })

export const send = defineAction({
  describe: 'An agent sends a message: for example, a colleague replies, or an auto-reply is sent.',
  schema: outgoingMail,
  hasEvent: true,
  repeatsAtOnce: true,
  mail(content) {
    return { content, agents: [content.from ?? []].flat(), people: [content.to ?? []].flat(), isSent: true }
  },
  resolve(context, mail) {
    const { from, to: stated, thread } = mail
    const agent = context.lookups.agent(from, [...context.path, 'from'])
    if (agent === 'unknown') return undefined
    const wanted = {
      key: thread,
      ownerKey: 'from',
      couldBegin: context.resolvedEntry.mail?.subject === undefined,
    } as const
    const receipt = receiptOf(context, wanted, agent)
    if (!receipt) return undefined
    const { offset } = context.resolvedEntry
    return async (compilation, place) => {
      const { texts, names } = compilation
      const own = { ...place, locale: receipt.owner.locale }
      const merged = await mailOf(compilation, mail, own)
      const content = contentOf(merged)
      const to =
        stated === undefined
          ? merged.to?.length
            ? merged.to
            : parseMailboxList(await outsideOf(compilation, receipt, own)).map(({ address }) => address)
          : (await texts.fillAll(stated, fieldAt(own, 'to'))).flatMap((text) => {
              const named = names.agent(text)
              return named ? [named.address] : texts.mailboxes(text, [...own.path, 'to'])
            })
      const from = formatMailbox({ name: receipt.owner.handle, address: receipt.owner.address })
      const { thread: joined } = receipt
      const instant = compilation.start + (Number.isFinite(offset) ? offset : 0)
      mailInForms(compilation, merged, { from, to }, { forms: [], threadId: joined?.id, agent: '', instant })
      const named = destinationOf(compilation, receipt, own.name)
      const header = headerOfRow({ ...content, to, direction: 'outbound' })
      compilation.sent.set(named.ids.message, header)
      return { commands: [{ type: 'send-message', to, ...content, ...named }] }
    }
  },
})
