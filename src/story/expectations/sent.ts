import type { Path } from '../../base/mistake.js'
import type { OptionNames } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { textOfHtml } from '../../mail/snippet.js'
import { type SentMessage, type SentSelector, showSent } from '../../service/world/sent-mail.js'
import type { Lookups } from '../compile/names.js'
import { sentCondition } from '../format/sent.js'
import { type mailText, slashed } from '../format/values.js'
import { Counter, type Judge } from './amount.js'
import { amountKeys, amountOf, defineExpectationKind, type Written } from './kind.js'
import {
  type AsymmetricMatcher,
  type Difference,
  described,
  describeExpected,
  formatDifference,
  formatValue,
  type Match,
  matcher,
  matchFields,
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
  fitsAddress,
  matchFiles,
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

/** A condition of sent mail in a scenario. */
type WrittenSent = z.output<typeof sentCondition>

/** The names of the fields by which programs select sent mail. */
export const sentMatchOptions = Object.fromEntries(
  Object.keys(sentCondition.shape).map((name) => [name, 'public']),
) as OptionNames<SentMatch>

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
      return new Counter(
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
export function compileSent(names: Lookups, written: WrittenSent, path: Path): SentMatch | undefined {
  const before = names.problems.length
  const agent = names.agent(written.from, [...path, 'from'])
  const sender = agent === 'unknown' ? undefined : agent
  const addresses = (list: string | readonly string[], place: Path): readonly string[] => {
    if (typeof list === 'string') return [addressOf(names, list, place)]
    return list.map((one, index) => addressOf(names, one, [...place, index]))
  }
  const { to, cc, bcc, thread: key, in_reply_to, subject, text, html, attachments } = written
  const wanted = key === undefined ? undefined : { key, owner: sender, ownerKey: 'from' as const }
  const joined = wanted && names.thread(wanted, [...path, 'thread'])
  const where = { owner: sender, thread: key }
  const answered =
    in_reply_to === undefined ? undefined : names.message(in_reply_to, where, [...path, 'in_reply_to'])
  const match: SentMatch = {
    from: sender?.handle,
    to: isOnly(to)
      ? { only: addresses(to.only, [...path, 'to', 'only']) }
      : to && addresses(to, [...path, 'to']),
    cc: cc && addresses(cc, [...path, 'cc']),
    bcc: bcc && addresses(bcc, [...path, 'bcc']),
    thread: joined && matchOfId(joined.id, `thread ${joined.key}`),
    in_reply_to: answered && matchOfId(answered.id, `message ${answered.key}`),
    subject: expectedText(subject),
    text: expectedText(text),
    html: expectedText(html),
    attachments: attachments?.map((one, index) => {
      return compileFile(one, expectedText, (key) => {
        return names.message(key, {}, [...path, 'attachments', index, 'of'])
      })
    }),
  }
  return names.problems.length > before ? undefined : match
}

/** Returns what selects sent mail as a story does; as JSON, it is what is written. */
export function sentSelector(wanted: SentMatch, written: WrittenSent): SentSelector {
  const pattern = patternOf(wanted)
  let problem: string | undefined
  const selector: SentSelector = {
    fits(mail, store) {
      problem = undefined
      try {
        return compareSent(pattern, mail, store).length === 0
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
function expectedText(value: z.output<typeof mailText> | undefined): Match | undefined {
  if (value === undefined) return undefined
  const [, matches, flags] = (typeof value === 'string' && slashed.exec(value)) || []
  return matchOf(matches === undefined ? value : { matches, flags })
}

/** What sent mail is compared with. */
type SentPattern = ReturnType<typeof patternOf>

/**
 * Returns what a match compares, in the order in which differences are told; with `only`, `values.to` is of the others. `addressOf`
 * returns the address of an agent that it names by a handle.
 */
function patternOf(
  { from, to, cc, bcc, attachments: files, ...words }: SentMatch,
  addressOf = (one: AddressMatch): AddressMatch => one,
) {
  const addresses = (list: AddressMatch | readonly AddressMatch[]) => {
    return ([list].flat() as readonly AddressMatch[]).map(addressOf)
  }
  const recipients = (list: SentMatch['cc']): Match | undefined => {
    if (list === undefined) return undefined
    const all = addresses(list)
    return matcher(formatValue(shownList(all)), (found) => {
      const values = [found].flat() as string[]
      const areThere = all.every((one) => values.some((value) => fitsAddress(one, value)))
      return all.length === 0 ? values.length === 0 : areThere
    })
  }
  const only = isOnly(to) ? addresses(to.only) : undefined
  const values = {
    from: from?.replace(/^@/, ''),
    to: isOnly(to) ? matcher(onlyOf(only ?? []), (others) => [others].flat().length === 0) : recipients(to),
    cc: recipients(cc),
    bcc: recipients(bcc),
    ...words,
  }
  return { values, only, files }
}

/** Which message is meant is told by who gets it and what it answers, more than by its words. */
const weights = { from: 10, to: 10, cc: 5, bcc: 5, thread: 5, in_reply_to: 5 }

/** Returns the values of sent mail that differ from the expected ones. */
function compareSent(
  { values, only, files }: SentPattern,
  mail: SentMessage,
  store: FileStore,
): Difference[] {
  const found = {
    ...mail,
    from: mail.agent_handle,
    to: shownList(only ? othersIn(only, mail) : mail.to),
    thread: mail.thread_id,
    text: mail.text ?? (values.text === undefined || mail.html === null ? null : textOfHtml(mail.html)),
  }
  const differing = matchFields(values, found, weights)
  return files ? [...differing, ...matchFiles(files, mail.attachments, store)] : differing
}

/** Returns whether recipients are the only ones that mail may have. */
export function isOnly<To>(to: To): to is Extract<To, Only<unknown>> {
  return typeof to === 'object' && to !== null && 'only' in to
}

/** Returns the only value of a list, or the list. */
function shownList<Value>(found: readonly Value[]): Value | readonly Value[] {
  const [first] = found
  return found.length === 1 && first !== undefined ? first : found
}

/** Returns the recipients of mail that are not among these. */
function othersIn(allowed: readonly AddressMatch[], { to, cc, bcc }: SentMessage): string[] {
  return [...to, ...cc, ...bcc].filter((found) => !allowed.some((one) => fitsAddress(one, found)))
}

function onlyOf(allowed: readonly Match[]): string {
  return `only ${eitherOf(allowed)}`
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
function sentJudge(
  { identities, store }: JudgedMailbox,
  wanted: SentMatch,
  others: boolean,
): Judge<SentMessage> {
  const pattern = patternOf(wanted, (one) => {
    return typeof one === 'string' && !/[@*]/.test(one) ? identities.get(one).mailbox_address : one
  })
  const { only = [], files } = pattern
  const { from, to, ...rest } = pattern.values
  const values = describeExpected({ ...(!others && { to }), ...rest, attachments: files })
  const anyoneElse = `anyone but ${eitherOf(only)}`
  const ofOthers = {
    ...pattern,
    values: { ...pattern.values, to: matcher(anyoneElse, (found) => [found].flat().length > 0) },
  }
  return {
    nouns: ['message', 'messages'],
    verb: 'was sent',
    expected: `sent${from === undefined ? '' : ` by ${from}`}${values && ` with ${values}`}${others ? ` to ${anyoneElse}` : ''}`,
    compare: (mail) => compareSent(others ? ofOthers : pattern, mail, store),
    line: formatSent,
    differences(mail, differing) {
      const surplus = {
        name: 'to',
        expected: described(onlyOf(only)),
        found: shownList(othersIn(only, mail)),
      }
      return (others && differing.length === 0 ? [surplus] : differing).map(formatDifference)
    },
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
