import { assumptionsOf, defaultAssumptions, type GapId } from '../../../src/contract/gaps.js'
import { type Changes, combineChanges, isSubset } from '../../../src/runs/explore/changes.js'
import type { ReliedGap } from '../../../src/runs/explore/relied.js'
import type { SurveyOptions } from '../../../src/runs/explore/survey.js'
import type { RunCommand, RunResult } from '../../../src/runs/explore/variants.js'

/** A model of a client with its reliances and the changes that break it. */
export interface ModelClient {
  /** The gaps it relies on under some changes, with all their other assumptions. */
  readonly reliesOn: (changes: Changes) => readonly GapId[]
  /** It fails if all changes of one of these sets are made. */
  readonly brokenBy: readonly Changes[]
  /** Returns true if the n-th run under these changes fails at random, from 1. */
  readonly whim?: (changes: Changes, run: number) => boolean
}

/** Runs a client model and records the changes of each run. */
export function runModel({ reliesOn, brokenBy, whim = () => false }: ModelClient): {
  readonly run: RunCommand
  readonly ran: Changes[]
} {
  const ran: Changes[] = []
  const run: RunCommand = async (changes) => {
    ran.push(changes)
    const times = ran.filter((before) => isSubset(before, changes) && isSubset(changes, before)).length
    const broken = brokenBy.some((set) => isSubset(set, changes))
    const failed = broken || whim(changes, times)
    const relied = new Map(reliesOn(changes).map((gap) => [gap, reliedOf(gap, changes)]))
    return { ...passing, changes, relied, ...(failed && { passed: false, why: broken ? 'broken' : 'whim' }) }
  }
  return { run, ran }
}

/** The fields of every passing run. */
const passing: Omit<RunResult, 'changes' | 'relied'> = {
  passed: true,
  ended: 'by-itself',
  problem: null,
  why: null,
  output: '',
  notes: [],
  requests: 1,
  receives: false,
  wall_ms: 1,
}

function reliedOf(gap: GapId, changes: Changes): ReliedGap {
  const names = assumptionsOf(gap).map(({ name }) => name)
  const assumption = changes[gap] ?? (names[0] as string)
  return {
    gap,
    assumptions: [assumption],
    instead: names.filter((name) => name !== assumption),
    same: [],
    fixed: false,
    pinned: false,
    operations: [],
  }
}

/** Returns options of a survey of the reliances. */
export function surveyOptions(options: Partial<SurveyOptions> = {}): SurveyOptions {
  const base = { assumptions: defaultAssumptions, chosen: {} }
  return { gaps: 'relied', base, ...options }
}

/** Returns a set of one change. */
export function only(gap: GapId, assumption: string): Changes {
  return combineChanges([{ gap, assumption }])
}
