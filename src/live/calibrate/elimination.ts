import { assumptionsOf, type GapId } from '../../contract/gaps.js'

/** Assumptions of some gaps that explain a response. */
export type Explanation = Readonly<Partial<Record<GapId, string>>>

/** A constraint from one or several exchanges: one of the explanations holds. */
export interface Constraint {
  /** The gap that is a misfit if nothing explains the exchanges. */
  readonly target: GapId
  readonly explanations: readonly Explanation[]
  /** Numbers of the exchanges. */
  readonly exchanges: readonly number[]
  /** The observation in one line. */
  readonly seen: string
}

/** Returns a constraint on one gap: the assumptions that some exchanges allow. */
export function shows(
  target: GapId,
  names: readonly string[],
  from: readonly { readonly number: number }[],
  seen: string,
): Constraint {
  const explanations = names.map((name) => ({ [target]: name }))
  return { target, explanations, exchanges: from.map(({ number }) => number), seen }
}

/** The assumptions of each gap that are still possible. */
export type Candidates = Readonly<Record<GapId, readonly string[]>>

/** The result of an elimination. */
export interface Elimination {
  readonly candidates: Candidates
  /** Gaps that the service settles in a way no assumption describes, with the evidence. */
  readonly misfits: ReadonlyMap<GapId, readonly Constraint[]>
  /** By gap, the constraints that ruled assumptions out. */
  readonly evidence: ReadonlyMap<GapId, readonly Constraint[]>
}

/** Picks a branch for a gap; the enumeration takes every branch in turn. */
export type Choose = (gap: GapId) => string

/** Runs a function once for every combination of its choices; returns each with its result. */
export function enumerate<Result>(
  run: (choose: Choose) => Result,
  only: Partial<Candidates> = {},
): { readonly chosen: Explanation; readonly result: Result }[] {
  const results: { chosen: Explanation; result: Result }[] = []
  const open: Partial<Record<GapId, string>>[] = [{}]
  for (let next = open.pop(); next; next = open.pop()) {
    const chosen = next
    const result = run((gap) => {
      const before = chosen[gap]
      if (before !== undefined) return before
      const [first = '', ...others] = only[gap] ?? assumptionsOf(gap).map(({ name }) => name)
      for (const other of others) open.push({ ...chosen, [gap]: other })
      chosen[gap] = first
      return first
    })
    results.push({ chosen, result })
  }
  return results
}

/**
 * Rules out, until nothing changes, every assumption with which some constraint cannot be explained, given the
 * remaining assumptions of the other gaps. A gap without remaining assumptions is a misfit, and no longer
 * constrains the others.
 */
export function eliminate(gaps: readonly GapId[], constraints: readonly Constraint[]): Elimination {
  const misfits = new Map<GapId, Constraint[]>()
  const blame = (gap: GapId, constraint: Constraint): void => {
    misfits.set(gap, [...(misfits.get(gap) ?? []), constraint])
  }
  const explained = constraints.filter((constraint) => {
    if (constraint.explanations.length === 0) blame(constraint.target, constraint)
    return constraint.explanations.length > 0
  })
  for (;;) {
    const { candidates, evidence, conflict } = propagate(gaps, explained, misfits)
    if (!conflict) return { candidates, evidence, misfits }
    for (const constraint of [...(evidence.get(conflict.gap) ?? []), conflict.constraint]) {
      blame(conflict.gap, constraint)
    }
  }
}

interface Propagation {
  readonly candidates: Record<GapId, readonly string[]>
  readonly evidence: Map<GapId, Constraint[]>
  readonly conflict: { readonly gap: GapId; readonly constraint: Constraint } | undefined
}

function propagate(
  gaps: readonly GapId[],
  constraints: readonly Constraint[],
  ignored: ReadonlyMap<GapId, unknown>,
): Propagation {
  const all = gaps.map((gap) => [gap, assumptionsOf(gap).map(({ name }) => name)] as const)
  const candidates = Object.fromEntries(all) as unknown as Record<GapId, readonly string[]>
  const evidence = new Map<GapId, Constraint[]>()
  for (let changed = true; changed; ) {
    changed = false
    for (const constraint of constraints) {
      const possible = constraint.explanations.filter((explanation) => {
        return assumptionsIn(explanation).every(
          ([gap, name]) => ignored.has(gap) || candidates[gap].includes(name),
        )
      })
      const concerned = [...new Set(constraint.explanations.flatMap((it) => Object.keys(it) as GapId[]))]
      if (possible.length === 0) {
        const gap = concerned.find((gap) => isExplainedWithout(gap, constraint, candidates, ignored))
        return { candidates, evidence, conflict: { gap: gap ?? constraint.target, constraint } }
      }
      for (const gap of concerned) {
        if (ignored.has(gap)) continue
        const left = candidates[gap].filter((name) => possible.some((it) => (it[gap] ?? name) === name))
        if (left.length === candidates[gap].length) continue
        candidates[gap] = left
        evidence.set(gap, [...(evidence.get(gap) ?? []), constraint])
        changed = true
      }
    }
  }
  return { candidates, evidence, conflict: undefined }
}

/** Returns whether a constraint could be explained if one gap could have any assumption. */
function isExplainedWithout(
  gap: GapId,
  { explanations }: Constraint,
  candidates: Candidates,
  ignored: ReadonlyMap<GapId, unknown>,
): boolean {
  return explanations.some((explanation) => {
    return assumptionsIn(explanation).every(([other, name]) => {
      return other === gap || ignored.has(other) || candidates[other].includes(name)
    })
  })
}

function assumptionsIn(explanation: Explanation): [GapId, string][] {
  return Object.entries(explanation) as [GapId, string][]
}
