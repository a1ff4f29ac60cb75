import { isAddress, parseMailbox } from '../../mail/index.js'
import type { ExpectedValue, SentCondition } from '../../service/world/index.js'
import { slashed } from '../format/matchers.js'
import type { ScenarioSent } from '../format/sent.js'
import { noIdentity, type Path, quoted } from '../problems/problem.js'
import type { Lookups } from '../resolve/lookups.js'

/** Resolves what a condition of sent mail refers to; undefined if something is not found. */
export function resolveSent(lookups: Lookups, written: ScenarioSent, path: Path): SentCondition | undefined {
  const { from, to, cc, bcc, thread: threadKey, in_reply_to: messageKey } = written
  const before = lookups.problems.length
  const agent = lookups.agent(from, [...path, 'from'])
  const owner = agent === 'unknown' ? undefined : agent
  const thread =
    threadKey === undefined
      ? undefined
      : lookups.thread({ key: threadKey, owner, ownerKey: 'from' }, [...path, 'thread'])
  const where = { owner: thread?.owner ?? owner, thread: threadKey }
  const answered =
    messageKey === undefined ? undefined : lookups.message(messageKey, where, [...path, 'in_reply_to'])
  const addresses = (list: string | readonly string[], at: Path): string[] => {
    if (typeof list === 'string') return [addressOf(lookups, list, at)]
    return list.map((one, index) => addressOf(lookups, one, [...at, index]))
  }
  const condition: SentCondition = {
    ...(owner && { from: owner.handle }),
    ...(to !== undefined && {
      to:
        typeof to === 'object' && 'only' in to
          ? { only: addresses(to.only, [...path, 'to', 'only']) }
          : addresses(to, [...path, 'to']),
    }),
    ...(cc !== undefined && { cc: addresses(cc, [...path, 'cc']) }),
    ...(bcc !== undefined && { bcc: addresses(bcc, [...path, 'bcc']) }),
    ...(thread && { thread: { id: thread.id, name: `thread ${thread.key}` } }),
    ...(answered && { in_reply_to: { id: answered.id, name: `message ${answered.key}` } }),
    ...expectedTexts(written),
  }
  return lookups.problems.length > before ? undefined : condition
}

/** Returns the bare address, or the pattern of addresses, of a recipient. */
export function addressOf({ names, problems }: Lookups, recipient: string, path: Path): string {
  const address = names.agent(recipient)?.address ?? parseMailbox(recipient)?.address ?? recipient
  if (!isAddress(address) && address !== '*') {
    const message = (): string => {
      return recipient.includes('@')
        ? `${quoted(recipient)} is not an address; expected one such as ann@example.com or *@example.com`
        : noIdentity(recipient, names.handles)
    }
    problems.push({ path, part: 'value', message })
  }
  return address
}

/** Returns the expected texts of sent mail: one between slashes is a regular expression. */
export function expectedTexts({ subject, text, html, attachments }: ScenarioSent): SentCondition {
  const values = Object.entries({ subject, text, html }).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, expectedText(value)] as const]
  })
  return {
    ...Object.fromEntries(values),
    ...(attachments && { attachments: attachments.map(expectedText) }),
  }
}

function expectedText(value: NonNullable<ScenarioSent['text']>): ExpectedValue {
  const [, matches, flags] = (typeof value === 'string' && slashed.exec(value)) || []
  return matches === undefined ? value : { matches, ...(flags && { flags }) }
}
