import { once } from '../../base/once.js'
import { combineExtensions, joinExtensions, noExtensions } from '../../contract/extensions.js'
import { createFingerprint } from '../../service/world/digest.js'
import { compileFurther, type FurtherParts, type Ground } from '../compile/further.js'
import { scenarioSchema } from '../format/scenario.js'
import { addAssumptions } from '../read/assumptions.js'
import { checkFormat } from '../read/check-format.js'
import { type ProblemAt, refusal } from '../read/problem.js'
import { type EntryInput, movedEntries } from './moves.js'
import type { Story, StoryOverlay, StorySources } from './story.js'

/**
 * Returns a story with an overlay. The mailboxes stay, unless the overlay changes them, their messages or the seed; then the scenario is loaded
 * again, and what was laid over it is laid over it again.
 * @throws ScenarioError, WorldError
 */
export async function lay(this: Story, overlay: StoryOverlay): Promise<Story> {
  const { seed, ...parts } = overlay
  const isSame = seed === undefined && !parts.mailboxes && !parts.forms
  const story = isSame ? this : await reloaded(this, overlay)
  return layParts(story, parts)
}

async function reloaded(
  { sources, overlays, seed }: Story,
  changes: Pick<StoryOverlay, 'seed' | 'mailboxes' | 'forms'>,
): Promise<Story> {
  const { reload, ground } = await sources()
  const sizes = [...overlays, changes].flatMap(({ mailboxes }) => (mailboxes ? [mailboxes] : []))
  const mailboxes = sizes.length > 0 ? Object.assign({}, ...sizes) : undefined
  const formed = [...overlays, changes].flatMap(({ forms = [] }) => forms)
  const forms = formed.length > 0 ? formed : undefined
  let story = await reload({ mailboxes, forms, seed: changes.seed ?? seed })
  // Threads that others refer to stay, so entries with the same seed are compiled to the same.
  if (story.seed === seed) story = withGround(story, { known: ground.known })
  for (const earlier of overlays) story = await layParts(story, earlier)
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
  const { assumptions, extend = [], moved, entries = [], expect = [], complete } = overlay
  const extended: Story = {
    ...story,
    ...(extend.length > 0 && { extensions: extendedBy(story, overlay) }),
    overlays: [...story.overlays, overlay],
  }
  const chosen = assumptions ? { ...extended, ...(await addAssumptions(extended, assumptions)) } : extended
  const told = moved ? withFingerprint({ ...chosen, ...movedEntries(chosen, moved) }) : chosen
  if (entries.length + expect.length === 0) return told
  const { parts, ground } = await compiled(await story.sources(), overlay)
  const laid = withFingerprint(merged(told, parts))
  const grounded = ground ? withGround(laid, ground) : laid
  return complete?.(grounded, parts) ?? grounded
}

function withFingerprint(story: Story): Story {
  return { ...story, fingerprint: createFingerprint(story) }
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
  const { entries = [], expect = [], origin = (path) => path } = overlay
  const placed = ({ path, place, ...problem }: ProblemAt): ProblemAt => {
    return { ...problem, path: origin(path), ...(place && { place: origin(place) }) }
  }
  const content = { timeline: [...entries], expect: [...expect] }
  const checked = await checkFormat(partsSchema(), content, { source, locate, placed })
  const extended = { ...ground, extensions: extendedBy(ground, overlay) }
  const { problems, ...parts } = await compileFurther(extended, checked, origin)
  return { ...parts, problems: problems.map(placed) }
}

/** Compiles the entries of an overlay that were not compiled before. @throws ScenarioError */
async function compiledAlone(
  sources: StorySources,
  { entries = [], expect = [], ...overlay }: StoryOverlay,
): Promise<FurtherParts> {
  const { known } = sources.ground
  const keyed = entries.map((entry) => [JSON.stringify(entry), entry] as const)
  const further = keyed.filter(([key]) => !known.has(key))
  let expectations: FurtherParts['expectations'] = []
  if (further.length + expect.length > 0) {
    const own = { ...overlay, entries: further.map(([, entry]) => entry), expect }
    const { problems, ...parts } = await compileOverlay(sources, own)
    if (problems.length > 0) throw refusal(sources.written.source, sources.written.locate, problems)
    expectations = parts.expectations
    const [timeline, triggered] = [byKey(parts.timeline, further), byKey(parts.triggered, further)]
    for (const [key, { key: name = '' }] of further) {
      known.set(key, { timeline: timeline.get(name) ?? [], triggered: triggered.get(name) ?? [] })
    }
  }
  const all = keyed.flatMap(([key]) => known.get(key) ?? [])
  const timeline = all.flatMap((one) => one.timeline)
  return { timeline, triggered: all.flatMap((one) => one.triggered), expectations }
}

/** Groups compiled entries by the keys of the written ones, of which each may have several repetitions. */
function byKey<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  written: readonly (readonly [string, EntryInput])[],
): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>(written.map(([, { key = '' }]) => [key, []]))
  for (const entry of entries) {
    const group = groups.get(entry.name) ?? groups.get(entry.name.replace(/\/\d+$/, ''))
    group?.push(entry)
  }
  return groups
}

/** Returns a story with compiled parts. */
function merged(story: Story, { timeline, triggered, expectations }: FurtherParts): Story {
  const waiting = [...(story.triggered ?? []), ...triggered]
  return {
    ...story,
    ...(timeline.length > 0 && {
      timeline: [...story.timeline, ...timeline].sort((a, b) => a.after - b.after),
    }),
    ...(waiting.length > 0 && { triggered: waiting }),
    expectations: [...story.expectations, ...expectations],
  }
}
