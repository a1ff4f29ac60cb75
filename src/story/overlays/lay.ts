import { once } from '../../base/index.js'
import { combineExtensions, joinExtensions, noExtensions } from '../../contract/index.js'
import { createFingerprint } from '../../service/world/index.js'
import { compileFurther, type FurtherParts, type Ground, type WrittenParts } from '../compile/index.js'
import { scenarioSchema } from '../format/index.js'
import { checkFormat, type ProblemAt, refusal } from '../problems/index.js'
import { addReadings } from '../read/index.js'
import type { EntryInput, Story, StoryOverlay, StorySources } from './story.js'

/**
 * Returns a story with an overlay. The mailboxes stay, unless the overlay changes them or the seed; then the scenario is loaded
 * again, and what was laid over it is laid over it again.
 * @throws ScenarioError, ReadingError
 */
export async function lay(this: Story, overlay: StoryOverlay): Promise<Story> {
  const { seed, mailboxes, ...parts } = overlay
  const story = seed === undefined && !mailboxes ? this : await reloaded(this, { seed, mailboxes })
  return layParts(story, parts)
}

async function reloaded(
  { sources, overlays, seed }: Story,
  changes: Pick<StoryOverlay, 'seed' | 'mailboxes'>,
): Promise<Story> {
  const { reload, ground } = await sources()
  let story = await reload({ ...changes, seed: changes.seed ?? seed })
  // Threads that others refer to stay, so entries with the same seed are compiled to the same.
  if (story.seed === seed) story = withGround(story, { known: ground.known })
  for (const earlier of overlays) story = await story.lay(earlier)
  return story
}

function withGround(story: Story, ground: Partial<Ground>): Story {
  const sources = once(async () => {
    const before = await story.sources()
    return { ...before, ground: { ...before.ground, ...ground } }
  })
  return { ...story, sources }
}

/** Lays what leaves the mailboxes as they are. */
async function layParts(story: Story, overlay: StoryOverlay): Promise<Story> {
  const { readings, extend = [], changed = [], entries = [], expect = [], complete } = overlay
  const extended: Story = {
    ...story,
    ...(extend.length > 0 && { extensions: extendedBy(story, overlay) }),
    overlays: [...story.overlays, overlay],
  }
  const chosen = readings ? { ...extended, ...(await addReadings(extended, readings)) } : extended
  if (changed.length + entries.length + expect.length === 0) return chosen
  const { parts, ground } = await compiled(await story.sources(), overlay)
  const told = merged(chosen, overlay, parts)
  const laid = { ...told, fingerprint: createFingerprint(told) }
  const grounded = ground ? withGround(laid, ground) : laid
  return complete?.(grounded, parts) ?? grounded
}

function extendedBy({ extensions = noExtensions }: Pick<Story, 'extensions'>, { extend = [] }: StoryOverlay) {
  return extend.length === 0 ? extensions : joinExtensions([combineExtensions(extend), extensions])
}

/** Compiles the entries and expectations of an overlay. @throws ScenarioError */
async function compiled(
  sources: StorySources,
  overlay: StoryOverlay,
): Promise<{ readonly parts: FurtherParts; readonly ground: Ground | undefined }> {
  if (overlay.isIndependent) return { parts: await compiledAlone(sources, overlay), ground: undefined }
  const { problems, ground, ...parts } = await compileOverlay(sources, overlay)
  if (problems.length > 0) throw refusal(sources.written.source, sources.written.locate, problems)
  return { parts, ground }
}

const partsSchema = once(() => scenarioSchema.pick({ timeline: true, expect: true }))

/** Compiles an overlay, and returns its problems at the places that caused them. @throws ScenarioError for its format */
export async function compileOverlay(
  { written: { source, locate }, ground }: Pick<StorySources, 'written' | 'ground'>,
  overlay: StoryOverlay,
): Promise<Awaited<ReturnType<typeof compileFurther>>> {
  const { changed = [], entries = [], expect = [], origin = (path) => path } = overlay
  const placed = ({ path, place, ...problem }: ProblemAt): ProblemAt => {
    return { ...problem, path: origin(path), ...(place && { place: origin(place) }) }
  }
  const content = { timeline: [...changed, ...entries], expect: [...expect] }
  const checked = await checkFormat(partsSchema(), content, { source, locate, placed })
  const parts: WrittenParts = {
    changed: checked.timeline.slice(0, changed.length),
    entries: checked.timeline.slice(changed.length),
    expect: checked.expect,
  }
  const extended = { ...ground, extensions: extendedBy(ground, overlay) }
  const { problems, ...compiledParts } = await compileFurther(extended, parts, origin)
  return { ...compiledParts, problems: problems.map(placed) }
}

/** Compiles the entries of an overlay that were not compiled before. @throws ScenarioError */
async function compiledAlone(
  sources: StorySources,
  { changed = [], entries = [], ...overlay }: StoryOverlay,
): Promise<FurtherParts> {
  const { known } = sources.ground
  const isNew = (entry: EntryInput): boolean => !known.has(JSON.stringify(entry))
  const further = { changed: changed.filter(isNew), entries: entries.filter(isNew) }
  const { expect = [] } = overlay
  let expectations: FurtherParts['expectations'] = []
  if (further.changed.length + further.entries.length + expect.length > 0) {
    const { problems, ...parts } = await compileOverlay(sources, { ...overlay, ...further })
    if (problems.length > 0) throw refusal(sources.written.source, sources.written.locate, problems)
    expectations = parts.expectations
    for (const entry of [...further.changed, ...further.entries]) {
      const isOwn = ({ name }: { readonly name: string }): boolean => {
        return name === entry.key || name.startsWith(`${entry.key}/`)
      }
      const own = { timeline: parts.timeline.filter(isOwn), triggered: parts.triggered.filter(isOwn) }
      known.set(JSON.stringify(entry), own)
    }
  }
  const all = [...changed, ...entries].flatMap((entry) => known.get(JSON.stringify(entry)) ?? [])
  const timeline = all.flatMap((one) => one.timeline)
  return { timeline, triggered: all.flatMap((one) => one.triggered), expectations }
}

/** Returns a story with compiled parts: changed entries in the places of those that they replace, others at the end. */
function merged(story: Story, { changed = [] }: StoryOverlay, parts: FurtherParts): Story {
  const names = new Set(changed.map(({ key }) => key))
  const timeline = replaced(story.timeline, parts.timeline, names).sort((a, b) => a.after - b.after)
  const triggered = replaced(story.triggered ?? [], parts.triggered, names)
  const expectations = [...story.expectations, ...parts.expectations]
  return { ...story, timeline, ...(triggered.length > 0 && { triggered }), expectations }
}

function replaced<Entry extends { readonly name: string }>(
  own: readonly Entry[],
  added: readonly Entry[],
  changed: ReadonlySet<string | undefined>,
): Entry[] {
  if (changed.size === 0) return [...own, ...added]
  const byName = new Map(added.map((entry) => [entry.name, entry]))
  const kept = own.flatMap((entry) => (changed.has(entry.name) ? (byName.get(entry.name) ?? []) : entry))
  const present = new Set(own.map(({ name }) => name))
  return [...kept, ...added.filter(({ name }) => !(changed.has(name) && present.has(name)))]
}
