import { describe, expect, it } from 'vitest'
import { assumptionsOf, gapIds } from '../../src/contract/gaps.js'
import { expectError, expectSameAnswer } from '../conformance/assertions.js'
import { type Mailbox, openMailbox, textOf } from '../conformance/mailbox.js'
import type { Answer } from '../conformance/transport.js'
import { sourceTexts } from '../source-files.js'
import { cases } from './cases/index.js'
import { ask, type GapCase, isRequestGap, type RequestGap, same } from './gap-case.js'

/** A case with the type of its gap removed: any assumption may be looked up in it. */
type AnyCase = Omit<GapCase<RequestGap>, 'assumptions' | 'sees'> & {
  readonly assumptions?: Readonly<Record<string, string>>
  readonly sees: Readonly<Record<string, unknown>>
}

const requestGaps = gapIds.filter(isRequestGap)

/** The reliances of the latest exchange on a gap. */
function notedOf(gap: RequestGap, { simulator }: Mailbox) {
  const exchange = simulator.journal.exchanges().at(-1)
  return exchange?.reliances.filter((reliance) => reliance.gap === gap)
}

/** Asserts what a client sees under an assumption of a gap. */
async function expectSeen(
  gap: RequestGap,
  assumption: string,
  answer: Answer,
  mailbox: Mailbox,
  before?: Answer,
) {
  const { shows, sees } = cases[gap] as AnyCase
  expect(Object.keys(sees)).toContain(assumption)
  const seen = sees[assumption]
  if (typeof seen === 'number') expectError(answer, seen)
  else if (seen === same) expect([answer.status, textOf(answer)]).toEqual([200, textOf(before as Answer)])
  else expect(await shows?.(answer, mailbox, before)).toEqual(seen)
}

describe('every assumption of a gap has its answers, and only those that differ rely on it', () => {
  const rows = requestGaps.flatMap((gap) => assumptionsOf(gap).map(({ name }) => [gap, name] as const))

  it.each(rows)('%s: %s', async (gap, assumption) => {
    const { assumptions, prepare, before, request, quiet } = cases[gap] as AnyCase
    const mailbox = await openMailbox(['default', { ...assumptions, [gap]: assumption }])
    await prepare?.(mailbox)
    const earlier = before && (await ask(mailbox, before))
    const answer = await ask(mailbox, request)
    const noted = notedOf(gap, mailbox)
    const others = assumptionsOf(gap).flatMap(({ name }) => (name === assumption ? [] : [name]))
    expect(noted).toEqual([{ gap, assumption, instead: expect.any(Array) }])
    const instead = noted?.[0]?.instead ?? []
    expect(instead).not.toEqual([])
    expect(instead.toSorted()).toEqual(others.filter((name) => instead.includes(name)).toSorted())
    if (before && earlier && answer.status >= 400) expectSameAnswer(await ask(mailbox, before), earlier)
    await expectSeen(gap, assumption, answer, mailbox, earlier)
    mailbox.simulator.reset()
    await prepare?.(mailbox)
    for (const asking of quiet) {
      mailbox.simulator.journal.clear()
      await ask(mailbox, asking)
      expect(notedOf(gap, mailbox)).toEqual([])
    }
  })
})

it('each gap of the register is settled in the code of answers', () => {
  const settled = sourceTexts()
    .filter(({ path }) => /^service\/(operations|rendering|requests)\//.test(path))
    .flatMap(({ text }) => [...text.matchAll(/\bsettle\(\s*'([^']+)'/g)].map(([, gap]) => gap))
  expect([...new Set(settled)].toSorted()).toEqual(requestGaps.toSorted())
})
