import { expect } from 'vitest'
import { readingsOf } from '../../src/contract/gaps.js'
import { type Mailbox, openMailbox } from '../conformance/mailbox.js'
import { cases } from './cases/index.js'
import { type Asking, ask, type GapCase, type RequestGap, type See } from './gap-case.js'

/** The gaps that are visible in answers to requests. */
export const requestGaps = Object.keys(cases) as RequestGap[]

/** A case with the type of its gap removed: any reading may be looked up in it. */
type AnyCase = Omit<GapCase<RequestGap>, 'readings' | 'sees'> & {
  readonly readings?: Readonly<Record<string, string>>
  readonly sees: Readonly<Record<string, See>>
}

/** A mailbox under one reading of a gap, prepared for a case. */
async function openFor(gap: RequestGap, reading: string): Promise<Mailbox> {
  const { readings, prepare } = cases[gap] as AnyCase
  const mailbox = await openMailbox(['default', { ...readings, [gap]: reading }])
  await prepare?.(mailbox)
  return mailbox
}

/** Returns the reliance of the latest exchange on a gap. */
function notedOf(gap: RequestGap, { simulator }: Mailbox) {
  return simulator.journal
    .exchanges()
    .at(-1)
    ?.reliances.filter((reliance) => reliance.gap === gap)
}

/** Asserts that the latest exchange notes a reliance on a reading of a gap, and under which it differs. */
function expectNoted(gap: RequestGap, reading: string, mailbox: Mailbox): void {
  const others = readingsOf(gap).map(({ name }) => name)
  const noted = notedOf(gap, mailbox)
  expect(noted).toEqual([{ gap, reading, instead: expect.any(Array) }])
  const instead = noted?.[0]?.instead ?? []
  expect(instead).not.toEqual([])
  expect(new Set(instead).size).toBe(instead.length)
  expect(instead.filter((name) => name === reading || !others.includes(name))).toEqual([])
}

/** Asserts that a request is answered without relying on a gap. */
async function expectQuiet(gap: RequestGap, mailbox: Mailbox, asking: Asking): Promise<void> {
  mailbox.simulator.journal.clear()
  await ask(mailbox, asking)
  expect(notedOf(gap, mailbox)).toEqual([])
}

/** Asserts what a client sees under a reading, and that only the answers that differ rely on it. */
async function expectReading(gap: RequestGap, reading: string): Promise<void> {
  const { before, request, sees, quiet } = cases[gap] as AnyCase
  const mailbox = await openFor(gap, reading)
  const earlier = before && (await ask(mailbox, before))
  const answer = await ask(mailbox, request)
  expectNoted(gap, reading, mailbox)
  await sees[reading]?.(answer, { mailbox, before: earlier })
  const untouched = await openFor(gap, reading)
  for (const asking of quiet) await expectQuiet(gap, untouched, asking)
}

/** Asserts what a client sees under every reading of a gap. */
export async function expectReadings(gap: RequestGap): Promise<void> {
  for (const { name } of readingsOf(gap)) {
    await expectReading(gap, name).catch((error: Error) => {
      error.message = `Under ${name}: ${error.message}`
      throw error
    })
  }
}
