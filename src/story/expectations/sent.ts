import { z } from '../../base/schema.js'
import { counted } from '../../base/text.js'
import { type SentMessage, showSent } from '../../service/world/sent-mail.js'
import { type Amount, trackAmount } from './amount.js'
import type { Judge } from './judge.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import { amountKeys, amountOf } from './keys.js'
import { defineExpectationKind, type Named, type Written } from './kind.js'
import type { AddressMatch } from './recipients.js'
import { explainNoRequests, formatExchange } from './request.js'
import {
  compareSent,
  eitherOf,
  isOnly,
  othersIn,
  resolveSent,
  type SentCondition,
  type SentMatch,
  sentCondition,
  sentMatchOf,
  shownList,
} from './sent-condition.js'
import type { StoryWindow } from './time-window.js'
import type { MatcherOf, RunFacts, Tracker } from './tracker.js'
import { described, describeExpected, formatMismatch, formatValue } from './values.js'

/** Expects a number of messages that agents sent. */
export interface SentExpectation extends Named {
  readonly kind: 'sent'
  readonly where: SentCondition
  /** Whether it counts mail that meets the other conditions but goes to recipients that `to` does not allow. */
  readonly others: boolean
  readonly amount: Amount
  readonly window: StoryWindow
}

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
    const where = selected === 'none' ? {} : resolveSent(names, selected, [...path, 'sent'])
    if (!where) return undefined
    return { where, others: isAboutOthers(written), amount: sentAmount(written), window }
  },
  track: trackSent,
  isWork: ({ amount }) => amount.least > 0,
})

/** Returns the expected number; none of what is forbidden. */
function sentAmount(written: WrittenSentExpectation): Amount {
  const isNone = written.sent === 'none' || isAboutOthers(written)
  return isNone ? { least: 0, most: 0 } : amountOf(written)
}

/**
 * Returns whether an expectation forbids mail to any but the given recipients: without a number, every
 * message must go only to them.
 */
function isAboutOthers({ sent: where, times, at_least, at_most }: WrittenSentExpectation): boolean {
  return isOnly(Object(where).to) && (times ?? at_least ?? at_most) === undefined
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
  const lists = Object.entries({ to: isOnly(to) ? described(`only ${eitherOf(to.only)}`) : to, cc, bcc })
  const shown = lists.map(([name, list]) => [name, Array.isArray(list) ? shownList(list) : list])
  const values = describeExpected({ ...Object.fromEntries(shown), ...rest })
  const by = from === undefined ? '' : ` by ${from.replace(/^@/, '')}`
  return {
    nouns: ['message', 'messages'],
    verb: 'was sent',
    expected: `sent${by}${values && ` with ${values}`}`,
    things: () => mailbox.sentBy().map((mail) => showSent(mail, mailbox.store)),
    explainNone: () => explainNoMail(mailbox),
    compare: (mail) => compareSent(match, mail, (file) => mailbox.store.get('attachment', file)?.content),
    line: formatSent,
    differences: (_, differing) => differing.map(formatMismatch),
  }
}

function judgeOfOthers(judge: Judge<SentMessage>, only: readonly AddressMatch[]): Judge<SentMessage> {
  const anyoneElse = `anyone but ${eitherOf(only)}`
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
  // Only the last one is shown: to mask the bodies of all of them takes seconds.
  const entries = mailbox.journal.entries()
  const last = entries.at(-1)?.showRequest()
  if (!last) return explainNoRequests(mailbox)
  const came = `${counted(entries.length, 'request')} came, the last ${formatExchange(last)}`
  return `No agent of ${mailbox.id} has sent mail; ${came}.`
}

/** Counts the mail that agents sent. */
function trackSent(expectation: SentExpectation, facts: RunFacts, matcherOf: MatcherOf): Tracker {
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
