import type { EventType } from '../../contract/resources.js'
import { formatInstant, parseDuration, parseInstant } from '../../service/time/time.js'
import type { Command } from '../../service/world/commands/commands.js'
import type { SentSelector } from '../../service/world/sent-mail.js'
import type { Trigger, TriggeredEntry } from '../../service/world/story.js'
import type { TimelineEntry } from '../../service/world/story-entry.js'
import type { CompileAction, CompiledAction } from '../actions/action.js'
import { actionOf, type ChosenAction } from '../actions/actions.js'
import { compileSent, sentSelector } from '../expectations/sent.js'
import type { Scenario } from '../format/scenario.js'
import type { Compilation, Enclosed } from './compilation.js'
import type { Lookups } from './names.js'
import { type BroughtMail, namesOfEntries, type ResolvedEntry } from './names.js'

/** A timeline entry with its action, which is still to be resolved. */
interface EntryToResolve extends ResolvedEntry, ChosenAction {}

/** Returns the entries of a timeline in the order of the file. `enclosed` has the files of their mail. */
export function resolveEntries(
  { timeline, start }: Pick<Scenario, 'timeline' | 'start'>,
  enclosed: ReadonlyMap<object, Enclosed>,
): EntryToResolve[] {
  const begin = parseInstant(start) as number
  const names = namesOfEntries(timeline)
  return timeline.map((entry, index) => {
    const name = names[index] as string
    const { after, at, when } = entry
    const path = ['timeline', index]
    const instant = parseInstant(at ?? '') ?? begin
    const time = after === undefined ? instant - begin : (parseDuration(after) ?? 0)
    // It is unknown when a client does what the entry waits for.
    const offset = when ? Number.POSITIVE_INFINITY : time
    const chosen = actionOf(entry) as ChosenAction
    const resolved = { entry, name, path, offset, ...chosen }
    return { ...resolved, mail: mailOf(resolved, enclosed) }
  })
}

/** Returns the messages that the entries of a timeline bring, in order, with their paths. */
export function mailOfTimeline(timeline: Scenario['timeline']) {
  return timeline.flatMap((entry, index) => {
    const { kind, action, value } = actionOf(entry) as ChosenAction
    const mail = action.mail?.(value).content
    return mail ? [{ mail, path: ['timeline', index, kind] }] : []
  })
}

/** Returns the message that an entry brings, if it brings one. */
function mailOf(
  { entry, path, kind, action, value }: Omit<EntryToResolve, 'mail'>,
  enclosed: ReadonlyMap<object, Enclosed>,
): BroughtMail | undefined {
  const mail = action.mail?.(value)
  if (!mail) return undefined
  const { content, agents, isSent } = mail
  const { eml } = enclosed.get(content) ?? {}
  const inFile = isSent || !eml ? [] : [...eml.to, ...eml.cc, ...eml.bcc].map(({ address }) => address)
  const [name, at] = content.key === undefined ? [entry.key, path] : [content.key, [...path, kind]]
  return {
    ...{ agents, inFile, isSent, thread: content.thread },
    subject: content.subject ?? (eml?.subject || undefined),
    key: name === undefined ? undefined : { name, path: [...at, 'key'] },
  }
}

/** A resolved entry with its action, whose references are resolved. */
interface EntryToCompile extends EntryToResolve {
  readonly compile: CompileAction
  /** The message for which it waits, if any. */
  readonly sent: SentSelector | undefined
}

/** Resolves the entries of the timeline; omits those with problems. */
export function resolveTimeline(
  lookups: Lookups,
  resolvedEntries: readonly EntryToResolve[],
  start: number,
): EntryToCompile[] {
  return resolvedEntries.flatMap((resolvedEntry) => {
    const { entry, path, offset, kind, action, value } = resolvedEntry
    if (entry.at !== undefined && offset < 0) {
      lookups.problem([...path, 'at'], `is before the start of the story, ${formatInstant(start, 'seconds')}`)
    }
    const compile = action.resolve({ lookups, resolvedEntry, path: [...path, kind] }, value)
    lookups.checkOperation(entry.when?.request, [...path, 'when', 'request'])
    const awaited = entry.when?.sent
    const match = awaited && compileSent(lookups, awaited, [...path, 'when', 'sent'])
    const sent = match && sentSelector(match, awaited)
    return compile && !(awaited && !sent) ? [{ ...resolvedEntry, compile, sent }] : []
  })
}

/**
 * Compiles the timeline of a scenario: its entries in the order in which they happen, and those that wait for something, in
 * the order of the file.
 */
export async function compileTimeline(compilation: Compilation, resolved: readonly EntryToCompile[]) {
  const timed: TimelineEntry[][] = []
  const triggered: TriggeredEntry[] = []
  // The difference of two entries that wait for something is no number.
  for (const entry of resolved.toSorted((a, b) => a.offset - b.offset || 0)) {
    const { name, path } = entry
    const position = path[1] as number
    const compiled = await compileTurns(compilation, entry)
    const when = triggerOf(entry, compilation.start)
    if (when) {
      // All repetitions happen simultaneously.
      const commands = compiled.flatMap((action) => action.commands)
      triggered[position] = { ...compiled[0], name, when, commands }
    } else {
      const every = parseDuration(entry.entry.repeat?.every ?? '0s') as number
      timed[position] = compiled.map((action, turn) => {
        return { name: nameOfTurn(name, turn), after: entry.offset + turn * every, ...action }
      })
    }
  }
  // Sorting is stable, so entries at the same instant stay in the order of the file.
  const timeline = timed.flat().sort((a, b) => a.after - b.after)
  return { timeline, ...(triggered.length > 0 && { triggered: triggered.flat() }) }
}

/** Compiles all repetitions of an entry. */
async function compileTurns(compilation: Compilation, resolved: EntryToCompile): Promise<CompiledAction[]> {
  const { entry, name, path, kind } = resolved
  const { locale } = compilation
  const times = entry.repeat?.times ?? 1
  const delay = entry.event_delay && { event_delay: parseDuration(entry.event_delay) as number }
  const compiled: CompiledAction[] = []
  for (let turn = 0; turn < times; turn++) {
    const place = {
      name: `timeline/${nameOfTurn(name, turn)}`,
      path: [...path, kind],
      locale,
      isAnswer: resolved.sent !== undefined,
    }
    const action = await resolved.compile(compilation, place, turn)
    const commands = action.commands.map((command): Command => ({ ...command, ...(delay || undefined) }))
    compiled.push({ ...action, commands })
    await compilation.texts.turn()
  }
  return compiled
}

function nameOfTurn(name: string, turn: number): string {
  return turn === 0 ? name : `${name}/${turn + 1}`
}

/** Returns the trigger of an entry; undefined if it only has a time. */
function triggerOf({ entry, sent }: EntryToCompile, start: number): Trigger | undefined {
  const { when, after, at } = entry
  if (!when) return undefined
  const { request, delivery, nth } = when
  const from = after === undefined ? (parseInstant(at ?? '') ?? start) - start : parseDuration(after)
  const counted = { nth, ...(from && { from }) }
  if (sent) {
    const later = parseDuration(when.after ?? '0s')
    return {
      sent,
      ...counted,
      ...(later && { after: later }),
      ...(when.every && { every: true }),
    }
  }
  return request === undefined ? { delivery: delivery as EventType, ...counted } : { request, ...counted }
}
