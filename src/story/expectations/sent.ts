import type { Path } from '../../base/mistake.js'
import type { OptionNames } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { textOfHtml } from '../../mail/snippet.js'
import { type SentMessage, type SentSelector, showSent } from '../../service/world/sent-mail.js'
import { handle, key, mailText, slashed } from '../format/values.js'
import { type Judge, trackAmount } from './amount.js'
import { amountKeys, amountOf, defineExpectationKind, type StoryNames, type Written } from './kind.js'
import {
  type AsymmetricMatcher,
  type Difference,
  described,
  describeExpected,
  formatDifference,
  formatValue,
  type Match,
  match,
  matchOf,
  matchOfId,
  PatternError,
} from './match.js'
import {
  type AddressMatch,
  addressOf,
  compileFile,
  type FileMatch,
  type FileStore,
  fileConditions,
  fitsAddress,
  matchFiles,
  recipient,
} from './sent-parts.js'
import { wholePlay } from './time-window.js'
import type { Amount, Compiled, JudgedMailbox } from './tracker.js'

/** Selects mail that agents sent. Omitted fields match anything. */
export interface SentMatch {
  /** The handle of the agent that sent it. */
  readonly from?: string | undefined
  /** One or several recipients; or the only recipients, of any kind, that it may have. */
  readonly to?: AddressMatch | readonly AddressMatch[] | Only<AddressMatch> | undefined
  readonly cc?: AddressMatch | readonly AddressMatch[] | undefined
  readonly bcc?: AddressMatch | readonly AddressMatch[] | undefined
  /** The id of its thread. */
  readonly thread?: string | AsymmetricMatcher | undefined
  /** The id of the message that it replies to. */
  readonly in_reply_to?: string | AsymmetricMatcher | undefined
  readonly subject?: Match | undefined
  /** Its text; that of its HTML if it has no other. */
  readonly text?: Match | undefined
  readonly html?: Match | undefined
  /** The files, all of which must be attached, by their names or more closely; `[]` for none. */
  readonly attachments?: readonly (Match | FileMatch)[] | undefined
}

/** The only recipients that mail may have. */
interface Only<Address> {
  readonly only: readonly Address[]
}

const only = z
  .strictObject({ only: z.array(recipient).min(1).describe('The only recipients, of any kind.') })
  .meta({
    id: 'only',
    title: 'Only recipients',
    description:
      'The only recipients that mail may go to: nobody else gets it, not even a copy. An expectation without a number expects that ' +
      'of every message that matches otherwise.',
  })

const copies = z.union([recipient, z.array(recipient)]).optional()

/** Selects mail that agents sent, by any operation, as scenarios do. */
export const sentCondition = z
  .strictObject({
    from: handle.optional().describe('The agent that sent it.'),
    to: z
      .union([recipient, z.array(recipient).min(1), only])
      .optional()
      .describe('One or several recipients, or the only recipients that it may have.'),
    cc: copies.describe('One or several recipients of a copy; `[]` for none.'),
    bcc: copies.describe('The same for copies that the other recipients do not see.'),
    thread: key.optional().describe('The key of its thread.'),
    in_reply_to: key.optional().describe('The key of the message that it replies to.'),
    subject: mailText.optional().describe('The subject; `/…/` is a regular expression.'),
    text: mailText.optional().describe('The text, or that of the HTML if there is no other.'),
    html: mailText.optional().describe('The HTML.'),
    attachments: fileConditions,
  })
  .meta({ id: 'sent', title: 'sent', description: 'Selects mail that agents sent, by any operation.' })

/** A condition of sent mail in a scenario. */
type WrittenSent = z.output<typeof sentCondition>

/** The names of the fields by which programs select sent mail. */
export const sentMatchOptions: OptionNames<SentMatch> = {
  from: 'public',
  to: 'public',
  cc: 'public',
  bcc: 'public',
  thread: 'public',
  in_reply_to: 'public',
  subject: 'public',
  text: 'public',
  html: 'public',
  attachments: 'public',
}

const none: Amount = { least: 0, most: 0 }

const keys = {
  sent: z
    .union([sentCondition, z.literal('none')])
    .optional()
    .describe(
      'About mail that agents sent by any operation, without mail of the timeline; `none`: there is no such mail.',
    ),
  ...amountKeys,
}

type WrittenSentExpectation = Written<typeof keys>

/** The expectation of mail that agents sent. */
export const sentExpectations = defineExpectationKind({
  about: 'sent mail',
  keys,
  problemWith({ sent: where, times, at_least: least, at_most: most }) {
    return where === 'none' && (times ?? least ?? most) !== undefined
      ? '"sent: none" already states a number; leave out times, at_least and at_most'
      : undefined
  },
  compile(written, { names, path, window }) {
    const { sent: selected = 'none' } = written
    const match = selected === 'none' ? {} : compileSent(names, selected, [...path, 'sent'])
    if (!match) return undefined
    const others = isAboutOthers(written)
    const amount = selected === 'none' || others ? none : amountOf(written)
    return expectSent(match, amount, { window, others })
  },
})

/**
 * Returns the expectation of a number of messages; with `others`, of those that go to anybody but the recipients that `to` allows.
 */
export function expectSent(
  match: SentMatch,
  amount: Amount,
  { window = wholePlay, others = false } = {},
): Compiled {
  return {
    amount,
    window,
    track: (facts) => {
      return trackAmount(
        sentJudge(facts.mailbox, match, others),
        { amount, window },
        facts,
        (observation) => {
          if (observation.type !== 'exchange') return []
          return observation.sent().map((mail) => {
            return { thing: showSent(mail, facts.mailbox.store), exchange: mail.exchange }
          })
        },
      )
    },
  }
}

/**
 * Returns whether an expectation forbids mail to any but the given recipients: without a number, every
 * message must go only to them.
 */
function isAboutOthers({ sent: where, times, at_least, at_most }: WrittenSentExpectation): boolean {
  return isOnly(Object(where).to) && (times ?? at_least ?? at_most) === undefined
}

/** Returns the match of a condition of sent mail; undefined if something that it refers to is not found. */
export function compileSent(names: StoryNames, written: WrittenSent, path: Path): SentMatch | undefined {
  const before = names.problems.length
  const agent = names.agent(written.from, [...path, 'from'])
  const sender = agent === 'unknown' ? undefined : agent
  const addresses = (list: string | readonly string[], place: Path): readonly string[] => {
    if (typeof list === 'string') return [addressOf(names, list, place)]
    return list.map((one, index) => addressOf(names, one, [...place, index]))
  }
  const { to, cc, bcc, thread, in_reply_to, subject, text, html, attachments } = written
  const joined =
    thread === undefined
      ? undefined
      : names.thread({ key: thread, owner: sender, ownerKey: 'from' }, [...path, 'thread'])
  const message = (key: string, place: Path) => names.message(key, { owner: sender, thread }, place)
  const answered = in_reply_to === undefined ? undefined : message(in_reply_to, [...path, 'in_reply_to'])
  const match: SentMatch = {
    ...(sender && { from: sender.handle }),
    ...(to !== undefined && {
      to: isOnly(to) ? { only: addresses(to.only, [...path, 'to', 'only']) } : addresses(to, [...path, 'to']),
    }),
    ...(cc !== undefined && { cc: addresses(cc, [...path, 'cc']) }),
    ...(bcc !== undefined && { bcc: addresses(bcc, [...path, 'bcc']) }),
    ...(joined && { thread: matchOfId(joined.id, `thread ${joined.key}`) }),
    ...(answered && { in_reply_to: matchOfId(answered.id, `message ${answered.key}`) }),
    ...(subject !== undefined && { subject: expectedText(subject) }),
    ...(text !== undefined && { text: expectedText(text) }),
    ...(html !== undefined && { html: expectedText(html) }),
    ...(attachments && {
      attachments: attachments.map((one, index) => {
        return compileFile(one, expectedText, (key) => {
          return names.message(key, {}, [...path, 'attachments', index, 'of'])
        })
      }),
    }),
  }
  return names.problems.length > before ? undefined : match
}

/** Returns what selects sent mail as a story does; as JSON, it is what is written. */
export function sentSelector(wanted: SentMatch, written: WrittenSent): SentSelector {
  let problem: string | undefined
  const selector: SentSelector = {
    fits(mail, store) {
      problem = undefined
      try {
        return compareSent(wanted, mail, store).length === 0
      } catch (error) {
        if (!(error instanceof PatternError)) throw error
        problem = error.message
        return false
      }
    },
    problem: () => problem,
  }
  return Object.assign(Object.create(selector), written)
}

/** Returns the form of a text in a story: one between slashes is a regular expression. */
function expectedText(value: z.output<typeof mailText>): Match {
  const [, matches, flags] = (typeof value === 'string' && slashed.exec(value)) || []
  return matchOf(matches === undefined ? value : { matches, flags })
}

/**
 * Returns the values of sent mail that differ from the expected ones. Which message is meant is told by who gets it and what it
 * answers, more than by its words.
 */
function compareSent(wanted: SentMatch, mail: SentMessage, store: FileStore): Difference[] {
  const { from, to, cc, bcc, thread, in_reply_to, subject, text, html, attachments } = wanted
  const recipients = isOnly(to) ? othersIn(to.only, mail) : matchAddresses(to, mail.to, 'to')
  const words = text === undefined ? null : (mail.text ?? (mail.html === null ? null : textOfHtml(mail.html)))
  return [
    ...weighed(10, [...match(from?.replace(/^@/, ''), mail.agent_handle, 'from'), ...recipients]),
    ...weighed(5, [
      ...matchAddresses(cc, mail.cc, 'cc'),
      ...matchAddresses(bcc, mail.bcc, 'bcc'),
      ...match(thread, mail.thread_id, 'thread'),
      ...match(in_reply_to, mail.in_reply_to, 'in_reply_to'),
    ]),
    ...match(subject, mail.subject, 'subject'),
    ...match(text, words, 'text'),
    ...match(html, mail.html, 'html'),
    ...(attachments ? matchFiles(attachments, mail.attachments, store) : []),
  ]
}

function weighed(weight: number, differences: readonly Difference[]): Difference[] {
  return differences.map((one) => ({ ...one, weight }))
}

/** Returns whether recipients are the only ones that mail may have. */
export function isOnly<To>(to: To): to is Extract<To, Only<unknown>> {
  return typeof to === 'object' && to !== null && 'only' in to
}

/** Returns a difference for each expected address that is missing; if none is expected, there must be none. */
function matchAddresses(expected: SentMatch['cc'], found: readonly string[], name: string): Difference[] {
  if (expected === undefined) return []
  const all = [expected].flat() as readonly AddressMatch[]
  if (all.length === 0) return found.length === 0 ? [] : [{ name, expected: [], found }]
  const missing = all.filter((one) => !found.some((value) => fitsAddress(one, value)))
  return missing.map((one) => ({ name, expected: one, found: shownList(found) }))
}

/** Returns the only value of a list, or the list. */
function shownList<Value>(found: readonly Value[]): Value | readonly Value[] {
  const [first] = found
  return found.length === 1 && first !== undefined ? first : found
}

/** Returns a difference if mail goes to recipients other than these. */
function othersIn(allowed: readonly AddressMatch[], { to, cc, bcc }: SentMessage): Difference[] {
  const others = [...to, ...cc, ...bcc].filter((found) => !allowed.some((one) => fitsAddress(one, found)))
  const expected = described(`only ${eitherOf(allowed)}`)
  return others.length === 0 ? [] : [{ name: 'to', expected, found: shownList(others) }]
}

/** Lists values of which one is meant. */
function eitherOf(values: readonly Match[]): string {
  return values.map(formatValue).join(' or ')
}

/**
 * Creates the judge of mail that agents sent. With `others`, it judges mail that goes to recipients that `to`
 * does not allow, and matches otherwise.
 * @throws WorldError for an unknown handle
 */
function sentJudge(mailbox: JudgedMailbox, given: SentMatch, others = false): Judge<SentMessage> {
  const wanted = withAddresses(mailbox, given)
  const { to, ...besides } = wanted
  if (others && isOnly(to)) return judgeOfOthers(sentJudge(mailbox, besides), to.only)
  const { from, cc, bcc, ...rest } = besides
  const lists = Object.entries({ to: isOnly(to) ? described(`only ${eitherOf(to.only)}`) : to, cc, bcc })
  const shown = lists.map(([name, list]) => [name, Array.isArray(list) ? shownList(list) : list])
  const values = describeExpected({ ...Object.fromEntries(shown), ...rest })
  const by = from === undefined ? '' : ` by ${from.replace(/^@/, '')}`
  return {
    nouns: ['message', 'messages'],
    verb: 'was sent',
    expected: `sent${by}${values && ` with ${values}`}`,
    compare: (mail) => compareSent(wanted, mail, mailbox.store),
    line: formatSent,
    differences: (_, differing) => differing.map(formatDifference),
  }
}

function judgeOfOthers(judge: Judge<SentMessage>, allowed: readonly AddressMatch[]): Judge<SentMessage> {
  const anyoneElse = `anyone but ${eitherOf(allowed)}`
  return {
    ...judge,
    expected: `${judge.expected} to ${anyoneElse}`,
    compare(mail) {
      const differing = judge.compare(mail)
      if (differing.length > 0 || othersIn(allowed, mail).length > 0) return differing
      return [{ name: 'to', expected: described(anyoneElse), found: shownList(mail.to) }]
    },
    differences(mail, differing) {
      return (differing.length > 0 ? differing : othersIn(allowed, mail)).map(formatDifference)
    },
  }
}

/** Returns a match with the address of each agent that it names by a handle. */
function withAddresses({ identities }: JudgedMailbox, wanted: SentMatch): SentMatch {
  const address = (one: AddressMatch): AddressMatch => {
    return typeof one === 'string' && !/[@*]/.test(one) ? identities.get(one).mailbox_address : one
  }
  const addresses = (list: SentMatch['cc']) => ([list].flat() as readonly AddressMatch[]).map(address)
  const { to, cc, bcc } = wanted
  return {
    ...wanted,
    ...(to !== undefined && {
      to: isOnly(to) ? { only: to.only.map(address) } : addresses(to as AddressMatch),
    }),
    ...(cc !== undefined && { cc: addresses(cc) }),
    ...(bcc !== undefined && { bcc: addresses(bcc) }),
  }
}

/** Formats sent mail as a line: `support to ann@example.com: "Re: Refund?" (messages.reply, request 12)`. */
export function formatSent({ agent_handle, to, cc, bcc, subject, operation, exchange }: SentMessage): string {
  const copies = Object.entries({ cc, bcc }).flatMap(([name, list]) => {
    return list.length > 0 ? `, ${name} ${list.join(', ')}` : []
  })
  const mail = `${agent_handle} to ${to.join(', ')}${copies.join('')}: ${formatValue(subject)}`
  return `${mail} (${operation}, request ${exchange})`
}
