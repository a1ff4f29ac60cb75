import type { EventType } from '../../contract/resources.js'
import {
  type Command,
  type CommandOf,
  type Fault,
  formatInstant,
  parseDuration,
  parseInstant,
  type SentCondition,
  type TimelineEntry,
  type Trigger,
  type TriggeredEntry,
  whyNeverHit,
} from '../../service/world/index.js'
import { outcome, receive, send } from '../actions/receive.js'
import type { ActionName, ScenarioAction } from '../format/index.js'
import type { Lookups } from '../resolve/lookups.js'
import type { ResolvedEntry } from '../resolve/names.js'
import { fieldAt } from '../resolve/parts.js'
import { choiceProblems } from '../resolve/unknown-names.js'
import type { ActionContext, Compilation, CompileAction, CompiledAction } from './compilation.js'
import { resolveSent } from './sent.js'

/** A resolved entry with its action, whose references are resolved. */
interface EntryToCompile extends ResolvedEntry {
  readonly compile: CompileAction
  /** The message for which it waits, if any. */
  readonly sent: SentCondition | undefined
}

/** Resolves what an action refers to; returns undefined if something is not found. */
type ResolveAction<Action> = (context: ActionContext, action: Action) => CompileAction | undefined

const actions: { readonly [Name in ActionName]: ResolveAction<ScenarioAction<Name>> } = {
  receive,
  send,
  read: (context, thread) => mark(context, thread, false),
  unread: (context, thread) => mark(context, thread, true),
  update,
  deliver: (context, mail) => outcome(context, mail, 'deliver-message'),
  bounce: (context, mail) => outcome(context, mail, 'bounce-message'),
  fault: addFault,
  clear_faults: () => () => ({ commands: [], fault: 'clear' }),
  redeliver: (_, redeliver) => () => ({ commands: [], redeliver }),
  readings: changeReadings,
}

/** Resolves the entries of the timeline; omits those with problems. */
export function resolveTimeline(
  lookups: Lookups,
  resolvedEntries: readonly ResolvedEntry[],
  start: number,
): EntryToCompile[] {
  return resolvedEntries.flatMap((resolvedEntry) => {
    if (lookups.isFull) return []
    const { entry, path, offset, kind, action } = resolvedEntry
    if (entry.at !== undefined && offset < 0) {
      lookups.problem([...path, 'at'], `is before the start of the story, ${formatInstant(start, 'seconds')}`)
    }
    const resolve = actions[kind as ActionName] as ResolveAction<unknown>
    const compile = resolve({ lookups, resolvedEntry, path: [...path, kind] }, action)
    const awaited = entry.when?.sent
    const sent = awaited && resolveSent(lookups, awaited, [...path, 'when', 'sent'])
    return compile && !(awaited && !sent) ? [{ ...resolvedEntry, compile, sent }] : []
  })
}

/**
 * Compiles the timeline of a scenario: its entries in the order in which they happen; those that wait for something, in
 * the order of the file; and by key of an entry, the position where it first happens.
 */
export async function compileTimeline(compilation: Compilation, resolved: readonly EntryToCompile[]) {
  const timed: TimelineEntry[][] = []
  const triggered: TriggeredEntry[] = []
  const firsts = new Map<string, TimelineEntry | undefined>()
  for (const entry of outcomesLast(resolved)) {
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
      if (entry.entry.key !== undefined) firsts.set(entry.entry.key, timed[position][0])
    }
  }
  // Sorting is stable, so entries at the same instant stay in the order of the file.
  const timeline = timed.flat().sort((a, b) => a.after - b.after)
  const placeOf = new Map<TimelineEntry | undefined, number>(timeline.map((entry, place) => [entry, place]))
  const places = new Map([...firsts].map(([key, first]) => [key, placeOf.get(first) as number]))
  return { timeline, ...(triggered.length > 0 && { triggered: triggered.flat() }), places }
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

/** Moves deliveries and bounces to the end, since the file may state their messages below them. */
function outcomesLast(entries: readonly EntryToCompile[]): EntryToCompile[] {
  const isOutcome = ({ kind }: EntryToCompile): boolean => kind === 'deliver' || kind === 'bounce'
  return [...entries.filter((entry) => !isOutcome(entry)), ...entries.filter(isOutcome)]
}

/** Returns the trigger of an entry; undefined if it only has a time. */
function triggerOf({ entry, sent }: EntryToCompile, start: number): Trigger | undefined {
  const { when, after, at } = entry
  if (!when) return undefined
  const { request, delivery, nth } = when
  const from = after === undefined ? (parseInstant(at ?? '') ?? start) - start : parseDuration(after)
  const counted = { nth, ...(from && { from }) }
  if (sent) return { sent, ...counted }
  return request === undefined ? { delivery: delivery as EventType, ...counted } : { request, ...counted }
}

/** Resolves marking a thread read or unread. */
function mark(
  { lookups, resolvedEntry, path }: ActionContext,
  marked: ScenarioAction<'read'>,
  unread: boolean,
): CompileAction | undefined {
  const thread = lookups.target(marked, path, resolvedEntry)?.thread
  return thread && (() => ({ commands: [{ type: 'set-thread-unread', thread_id: thread.id, unread }] }))
}

/** Resolves a change of an identity. */
function update(
  { lookups, path }: ActionContext,
  changes: ScenarioAction<'update'>,
): CompileAction | undefined {
  const owner = lookups.agent(changes.identity, [...path, 'identity'])
  if (owner === undefined || owner === 'unknown') return undefined
  return async (compilation, place) => {
    const own = { ...place, locale: owner.locale }
    const command: CommandOf<'update-identity'> = { type: 'update-identity', identity_id: owner.id }
    for (const field of ['display_name', 'description'] as const) {
      const template = changes[field]
      if (template !== undefined) {
        command[field] = await compilation.texts.fill(template, fieldAt(own, field))
      }
    }
    return { commands: [command] }
  }
}

/** Resolves a fault rule. */
function addFault({ lookups, path }: ActionContext, fault: Fault): CompileAction {
  const isKnown = lookups.agent(fault.handle, [...path, 'handle']) !== 'unknown'
  const handles = fault.handle === undefined ? [] : [fault.handle]
  const never = isKnown ? whyNeverHit(fault, handles, lookups.extensions) : undefined
  if (never !== undefined) lookups.problem(path, `this fault can never apply: ${never}`)
  return () => ({ commands: [], fault })
}

/** Checks a change of readings. */
function changeReadings(
  { lookups, path }: ActionContext,
  readings: ScenarioAction<'readings'>,
): CompileAction {
  lookups.problems.push(...choiceProblems(readings, path, lookups.extensions.gaps))
  return () => ({ commands: [], readings })
}
