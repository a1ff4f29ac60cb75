import type { GapId } from '../../contract/gaps.js'
import type { Expectation } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioExpectation } from '../format/index.js'
import type { Cast } from '../timeline/cast.js'
import { amountOf } from './amount.js'
import { conditionOf } from './condition.js'
import { subjectOf } from './subject.js'
import { Windows } from './windows.js'

/**
 * What a scenario expects, as it is judged: keys become ids, templates are filled in as they are in the story.
 * `places` says where the entries of the timeline first happen, by key. What is found wrong is noted in the building,
 * and what it is found in left out.
 */
export function compileExpectations(
  cast: Cast,
  expectations: readonly ScenarioExpectation[],
  places: ReadonlyMap<string, number>,
): Expectation[] {
  const windows = new Windows(cast, expectations, places)
  return expectations.flatMap((expectation, index) => {
    return compileExpectation(cast, expectation, windows, ['expect', index]) ?? []
  })
}

function compileExpectation(
  cast: Cast,
  expectation: ScenarioExpectation,
  windows: Windows,
  path: ScenarioPath,
): Expectation | undefined {
  const { key = null, describe = null, request, delivery, reliances, errors } = expectation
  const named = { key, describe }
  const subject = subjectOf(cast, expectation, path)
  if (subject === 'unknown') return undefined
  const window = windows.of(expectation, path)
  if (subject) return { ...named, ...subject, window }
  const amount = amountOf(expectation)
  if (request !== undefined) {
    const where = conditionOf(cast, expectation.where ?? {}, [...path, 'where'])
    return { ...named, kind: 'request', operation: request, where, amount, window }
  }
  if (delivery !== undefined) {
    const { status = null, url = null } = expectation
    return { ...named, kind: 'delivery', event: delivery, status, url, amount, window }
  }
  if (reliances) return { ...named, kind: 'reliances', gaps: reliances as GapId[] }
  return errors && { ...named, kind: 'errors', except: expectation.except ?? [] }
}
