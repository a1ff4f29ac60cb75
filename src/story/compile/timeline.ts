import type { EventType } from '../../contract/resources.js'
import { formatInstant, parseDuration, parseInstant } from '../../service/time/time.js'
import type { Command } from '../../service/world/commands/commands.js'
import type { TimelineEntry } from '../../service/world/story-entry.js'
import type { Trigger, TriggeredEntry } from '../../service/world/triggers.js'
import type { CompileAction, CompiledAction } from '../actions/action.js'
import { resolveSent, type SentCondition, sentSelector } from '../expectations/sent.js'
import type { Compilation } from './compilation.js'
import type { EntryToResolve } from './entries.js'
import type { Lookups } from './lookups.js'

/** A resolved entry with its action, whose references are resolved. */
interface EntryToCompile extends EntryToResolve {
  readonly compile: CompileAction
  /** The message for which it waits, if any. */
  readonly sent: SentCondition | undefined
}

/** Resolves the entries of the timeline; omits those with problems. */
export function resolveTimeline(
  lookups: Lookups,
  resolvedEntries: readonly EntryToResolve[],
  start: number,
): EntryToCompile[] {
  return resolvedEntries.flatMap((resolvedEntry) => {
    if (lookups.isFull) return []
    const { entry, path, offset, kind, action, value } = resolvedEntry
    if (entry.at !== undefined && offset < 0) {
      lookups.problem([...path, 'at'], `is before the start of the story, ${formatInstant(start, 'seconds')}`)
    }
    const compile = action.resolve({ lookups, resolvedEntry, path: [...path, kind] }, value)
    const awaited = entry.when?.sent
    const sent = awaited && resolveSent(lookups, awaited, [...path, 'when', 'sent'])
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
  for (const entry of inOrder(resolved)) {
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
  const times = compilation.isRefused ? 1 : (entry.repeat?.times ?? 1)
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

/** Moves what may be about messages that the file states below it to the end. */
function inOrder(entries: readonly EntryToCompile[]): EntryToCompile[] {
  const isLast = ({ action }: EntryToCompile): boolean => action.compiledLast === true
  return [...entries.filter((entry) => !isLast(entry)), ...entries.filter(isLast)]
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
      sent: sentSelector(sent),
      ...counted,
      ...(later && { after: later }),
      ...(when.every && { every: true }),
    }
  }
  return request === undefined ? { delivery: delivery as EventType, ...counted } : { request, ...counted }
}
