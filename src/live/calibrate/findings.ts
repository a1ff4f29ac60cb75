import type { Need } from '../../contract/gaps/gap.js'
import { assumptionsOf, type GapId, gapIds, gaps } from '../../contract/gaps.js'
import type { Calibration } from './calibrate.js'
import type { Constraint } from './elimination.js'

/** How much is known about a gap. */
type FindingStatus = 'learned' | 'narrowed' | 'unknown' | 'none-fits'

/** The finding about one gap. */
export interface GapFinding {
  readonly gap: GapId
  readonly status: FindingStatus
  /** The only remaining assumption; null if there is none, or several. */
  readonly assumption: string | null
  /** The possible assumptions; empty if none matches. */
  readonly candidates: readonly string[]
  readonly because: string
  /** Numbers of the exchanges that show it. */
  readonly exchanges: readonly number[]
  readonly learned_by: Need
}

/** Returns the finding about every gap. */
export function findingsOf(calibration: Calibration, allowed: ReadonlySet<Need>): GapFinding[] {
  const { candidates, misfits, evidence } = calibration.analysis
  return gapIds.map((gap) => {
    const need = gaps[gap].learnedBy
    const misfit = misfits.get(gap)
    if (misfit) {
      const because = `no assumption describes it: ${summary(misfit)}`
      const finding = { gap, status: 'none-fits', assumption: null, candidates: [], because } as const
      return { ...finding, exchanges: numbersOf(misfit), learned_by: need }
    }
    const left = candidates[gap]
    const found = evidence.get(gap) ?? []
    const [assumption = null] = left.length === 1 ? left : []
    const isUntouched = left.length === assumptionsOf(gap).length
    const status = assumption !== null ? 'learned' : isUntouched ? 'unknown' : 'narrowed'
    const because = isUntouched ? whyUnknown(gap, need, calibration, allowed) : summary(found)
    return {
      gap,
      status,
      assumption,
      candidates: left,
      because,
      exchanges: numbersOf(found),
      learned_by: need,
    }
  })
}

/** Formats the evidence in one line; later evidence is more conclusive. */
function summary(constraints: readonly Constraint[]): string {
  return [...new Set(constraints.map(({ seen }) => seen))].slice(-2).join('; ')
}

function numbersOf(constraints: readonly Constraint[]): number[] {
  return [...new Set(constraints.flatMap(({ exchanges }) => exchanges))].toSorted((a, b) => a - b)
}

/** The flags that allow the probes of each need. */
const flags: Readonly<Record<Need, string>> = {
  reads: '',
  writes: '--allow-writes --agent HANDLE',
  'by-hand': '',
  burst: '--burst',
  none: '',
}

/** What was missing for gaps that only the contents of the mailbox can show. */
const contents: Readonly<Partial<Record<GapId, string>>> = {
  'threads.snippet': 'no thread with several messages was seen completely',
  'messages.outbound-direction': 'no message sent by an agent was seen',
  'messages.empty-body': 'no message without text or without HTML was seen',
  'messages.authentication': 'no received message was seen',
  'messages.empty-sender': 'no message without the address of a sender was seen',
  'messages.attachment-entry': 'no message with an attachment was seen',
  'webhooks.auth-token-absent': 'there is no webhook without a token',
  'webhooks.unscoped-handle': 'there is no webhook without an agent',
  'webhooks.order': 'the webhooks do not show their order: too few, or all created simultaneously',
  'threads.order': 'the threads do not show their order: too few',
  'messages.order': 'the messages do not show their order: too few',
  'errors.not-found-code': 'errors carry no code',
  'webhooks.filter-names': 'no filter made a difference: there are too few webhooks',
}

function whyUnknown(gap: GapId, need: Need, { missing }: Calibration, allowed: ReadonlySet<Need>): string {
  if (need === 'none') return 'no request of a client shows it'
  if (need === 'by-hand') return 'a delivery shows it: docs/live-service.md says what to look at'
  if (!allowed.has(need)) return `it needs ${flags[need]}`
  return missing.get(gap) ?? contents[gap] ?? 'the responses would be the same under each of its assumptions'
}
