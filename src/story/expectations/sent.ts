import { checkOptions, defineOptions, option } from '../../base/options.js'
import { counted, wildcard } from '../../base/text.js'
import { parseMailbox, sameAddress, textOfHtml } from '../../mail/index.js'
import {
  type FitsSent,
  type SentCondition,
  type SentExpectation,
  type SentMessage,
  showSent,
} from '../../service/world/index.js'
import { trackAmount } from './amount.js'
import type { Judge } from './judge.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import { explainNoRequests, formatExchange } from './request.js'
import { type MatcherOf, matchersOf, type RunFacts, type Tracker } from './tracker.js'
import { ValueMatcher } from './value-matcher.js'
import {
  type AsymmetricMatcher,
  describeExpected,
  formatMismatch,
  formatValue,
  type Match,
  type Mismatch,
  mismatches,
} from './values.js'

/**
 * An address, in which `*` matches any characters, with or without a display name; the handle of an agent; or
 * a matcher of addresses.
 */
export type AddressMatch = string | RegExp | AsymmetricMatcher

/** Selects mail that agents sent. Omitted fields match anything. */
export interface SentMatch {
  /** The handle of the agent that sent it. */
  readonly from?: string | undefined
  /** One or several recipients; or the only recipients, of any kind, that it may have. */
  readonly to?:
    | AddressMatch
    | readonly AddressMatch[]
    | { readonly only: readonly AddressMatch[] }
    | undefined
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
  /** The names of files, all of which must be attached; `[]` for none. */
  readonly attachments?: readonly Match[] | undefined
}

/** The types of the fields that select sent mail. */
export const sentMatchOptions = defineOptions<SentMatch>(() => ({
  from: option.text(),
  to: option.any(),
  cc: option.any(),
  bcc: option.any(),
  thread: option.any(),
  in_reply_to: option.any(),
  subject: option.any(),
  text: option.any(),
  html: option.any(),
  attachments: option.list(),
}))

/** Refuses unknown fields: a misspelt one would match all mail. @throws TypeError */
export function checkSentMatch(call: string, match: SentMatch): void {
  checkOptions(call, match, sentMatchOptions)
}

/** Returns the values of sent mail that differ from the expected ones. */
export function compareSent(match: SentMatch, mail: SentMessage): Mismatch[] {
  const { from, to, cc, bcc, thread, in_reply_to, subject, text, html, attachments } = match
  const files =
    attachments &&
    listMismatches(
      'attachments',
      attachments,
      mail.attachments.map(({ filename }) => filename),
    )
  return [
    ...mismatches('from', from?.replace(/^@/, ''), mail.agent_handle),
    ...(isOnly(to) ? othersIn(to.only, mail) : addressMismatches('to', to, mail.to)),
    ...addressMismatches('cc', cc, mail.cc),
    ...addressMismatches('bcc', bcc, mail.bcc),
    ...mismatches('thread', thread, mail.thread_id),
    ...mismatches('in_reply_to', in_reply_to, mail.in_reply_to),
    ...mismatches('subject', subject, mail.subject),
    ...mismatches('text', text, mail.text ?? (mail.html === null ? null : textOfHtml(mail.html))),
    ...mismatches('html', html, mail.html),
    ...(files ?? []),
  ]
}

/** Returns whether recipients are the only ones that mail may have. */
export function isOnly(to: unknown): to is { readonly only: readonly AddressMatch[] } {
  return typeof to === 'object' && to !== null && 'only' in to
}

function addressMismatches(
  name: string,
  expected: AddressMatch | readonly AddressMatch[] | undefined,
  found: readonly string[],
): Mismatch[] {
  return expected === undefined ? [] : listMismatches(name, [expected].flat(), found, fitsAddress)
}

/**
 * Returns a mismatch for each expected value that is not in a list; if nothing is expected, the list must be
 * empty.
 */
function listMismatches(
  name: string,
  expected: readonly Match[],
  found: readonly string[],
  fits = (one: Match, value: string) => mismatches(name, one, value).length === 0,
): Mismatch[] {
  if (expected.length === 0) return found.length === 0 ? [] : [{ name, expected, found }]
  const missing = expected.filter((one) => !found.some((value) => fits(one, value)))
  return missing.map((one) => ({ name, expected: one, found: shownList(found) }))
}

/** Returns the only value of a list, or the list. */
function shownList<Value>(found: readonly Value[]): Value | readonly Value[] {
  const [only] = found
  return found.length === 1 && only !== undefined ? only : found
}

/** Returns whether an address is an expected one. */
export function fitsAddress(expected: Match, found: string): boolean {
  if (typeof expected !== 'string') return mismatches('to', expected, found).length === 0
  const address = parseMailbox(expected)?.address ?? expected
  return address.includes('*')
    ? wildcard(address.toLowerCase())(found.toLowerCase())
    : sameAddress(address, found)
}

/** Returns a mismatch if mail goes to recipients other than these. */
function othersIn(only: readonly AddressMatch[], { to, cc, bcc }: SentMessage): Mismatch[] {
  const others = [...to, ...cc, ...bcc].filter((found) => !only.some((one) => fitsAddress(one, found)))
  const expected = described(`only ${listed(only)}`)
  return others.length === 0 ? [] : [{ name: 'to', expected, found: shownList(others) }]
}

function listed(values: readonly Match[]): string {
  return values.map(formatValue).join(' or ')
}

/** Returns a matcher that only describes what is expected. */
function described(text: string): AsymmetricMatcher {
  return Object.assign({ asymmetricMatch: () => false }, { toAsymmetricMatcher: () => text })
}

/**
 * Creates the judge of mail that agents sent. With `others`, it judges mail that goes to recipients that `to`
 * does not allow, and matches otherwise.
 * @throws CommandError for an unknown handle
 */
export function sentJudge(mailbox: JudgedMailbox, given: SentMatch, others = false): Judge<SentMessage> {
  const match = withAddresses(mailbox, given)
  const { to, ...besides } = match
  if (others && isOnly(to)) return judgeOfOthers(sentJudge(mailbox, besides), to.only)
  const { from, cc: _, bcc: __, ...rest } = besides
  const { cc, bcc } = match
  const lists = Object.entries({ to: isOnly(to) ? described(`only ${listed(to.only)}`) : to, cc, bcc })
  const shown = lists.map(([name, list]) => [name, Array.isArray(list) ? shownList(list) : list])
  const values = describeExpected({ ...Object.fromEntries(shown), ...rest })
  const by = from === undefined ? '' : ` by ${from.replace(/^@/, '')}`
  return {
    nouns: ['message', 'messages'],
    verb: 'was sent',
    showsSurplus: true,
    expected: `sent${by}${values && ` with ${values}`}`,
    things: () => mailbox.sentBy().map((mail) => showSent(mail, mailbox.store)),
    explainNone: () => explainNoMail(mailbox),
    compare: (mail) => compareSent(match, mail),
    line: formatSent,
    differences: (_, differing) => differing.map(formatMismatch),
  }
}

function judgeOfOthers(judge: Judge<SentMessage>, only: readonly AddressMatch[]): Judge<SentMessage> {
  const anyoneElse = `anyone but ${listed(only)}`
  return {
    ...judge,
    expected: `${judge.expected} to ${anyoneElse}`,
    compare(mail) {
      const differing = judge.compare(mail)
      if (differing.length > 0 || othersIn(only, mail).length > 0) return differing
      return [{ name: 'to', expected: described(anyoneElse), found: shownList(mail.to) }]
    },
    differences(mail, differing) {
      return (differing.length > 0 ? differing : othersIn(only, mail)).map(formatMismatch)
    },
  }
}

/** Returns a match with the address of each agent that it names by a handle. */
function withAddresses({ identities }: JudgedMailbox, match: SentMatch): SentMatch {
  const addressOf = (one: AddressMatch): AddressMatch => {
    return typeof one === 'string' && !/[@*]/.test(one) ? identities.get(one).mailbox_address : one
  }
  const { to, cc, bcc } = match
  return {
    ...match,
    ...(to !== undefined && {
      to: isOnly(to) ? { only: to.only.map(addressOf) } : [to].flat().map(addressOf),
    }),
    ...(cc !== undefined && { cc: [cc].flat().map(addressOf) }),
    ...(bcc !== undefined && { bcc: [bcc].flat().map(addressOf) }),
  }
}

/** Formats sent mail as a line: `support to ann@example.com: "Re: Refund?" (messages.reply, request 12)`. */
export function formatSent({ agent_handle, to, cc, bcc, subject, operation, exchange }: SentMessage): string {
  const copies = [
    ['cc', cc],
    ['bcc', bcc],
  ].flatMap(([name, list]) => (list?.length ? `, ${name} ${[list].flat().join(', ')}` : []))
  const mail = `${agent_handle} to ${to.join(', ')}${copies.join('')}: ${formatValue(subject)}`
  return `${mail} (${operation}, request ${exchange})`
}

/** Explains that no agent sent mail. */
function explainNoMail(mailbox: JudgedMailbox): string {
  const exchanges = mailbox.journal.exchanges()
  const last = exchanges.at(-1)
  if (!last) return explainNoRequests(mailbox)
  const came = `${counted(exchanges.length, 'request')} came, the last ${formatExchange(last)}`
  return `No agent of ${mailbox.id} has sent mail; ${came}.`
}

/** Returns what a scenario expects of sent mail, with matchers. */
export function sentMatchOf(
  { thread, in_reply_to, subject, text, html, attachments, ...addresses }: SentCondition,
  matcherOf: MatcherOf,
): SentMatch {
  const values = { thread, in_reply_to, subject, text, html }
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return {
    ...addresses,
    ...matchersOf(Object.fromEntries(given), matcherOf),
    ...(attachments && { attachments: attachments.map(matcherOf) }),
  }
}

/** Counts the mail that agents sent. */
export function trackSent(expectation: SentExpectation, facts: RunFacts, matcherOf: MatcherOf): Tracker {
  const match = sentMatchOf(expectation.where, matcherOf)
  return trackAmount(
    sentJudge(facts.mailbox, match, expectation.others),
    expectation,
    facts,
    (observation) => {
      if (observation.type !== 'exchange') return []
      const sent = observation.sent().map((mail) => showSent(mail, facts.mailbox.store))
      return sent.map((mail) => ({ thing: mail, exchange: mail.exchange }))
    },
  )
}

/** Creates a function that returns whether a sent message meets a condition of a story. */
export function createSentFilter(): FitsSent {
  const matches = new WeakMap<SentCondition, SentMatch>()
  return (condition, mail) => {
    const match = matches.get(condition) ?? sentMatchOf(condition, (value) => new ValueMatcher(value))
    matches.set(condition, match)
    return compareSent(match, mail).length === 0
  }
}
