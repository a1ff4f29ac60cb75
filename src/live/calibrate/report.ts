import { invocation } from '../../base/package.js'
import { counted, truncate } from '../../base/text.js'
import type { Calibration } from './calibrate.js'

/** A gap that a service settles in another way than a file says. */
type Drift = Calibration['findings'][number] & { readonly before: string }

/** Returns what differs from the assumptions of a file; what is unclear does not. */
export function driftFrom(before: Readonly<Record<string, string>>, { findings }: Calibration): Drift[] {
  return findings.flatMap((finding) => {
    const known = before[finding.gap]
    const isOther = known !== undefined && finding.assumption !== undefined && finding.assumption !== known
    return isOther ? [{ ...finding, before: known }] : []
  })
}

/** Formats a calibration for people; `drift` is what differs from the file of `--check`, if there is one. */
export function formatCalibration(
  { findings, requests, stopped, notes }: Calibration,
  baseUrl: string,
  drift: readonly Drift[] | undefined,
): string {
  const learned = findings.filter(({ assumption }) => assumption !== undefined)
  const unclear = findings.filter(({ assumption }) => assumption === undefined)
  const width = Math.max(...findings.map(({ gap }) => gap.length))
  const changed = drift?.map(({ gap, before, assumption, because }) => {
    return `  ✗ ${gap} was ${before}, and is ${assumption}\n      ${oneLine(because)}`
  })
  return [
    `${learned.length} of ${counted(findings.length, 'gap')} learned with ${counted(requests, 'request')} to ${baseUrl}`,
    ...(stopped ? ['', `It stopped early: ${stopped.message}`] : []),
    ...(changed
      ? [
          '',
          changed.length === 0
            ? 'Nothing contradicts the file.'
            : `${counted(changed.length, 'assumption')} changed:`,
          ...changed,
        ]
      : []),
    '',
    ...learned.map(({ gap, assumption }) => `  ✓ ${gap.padEnd(width)}  ${assumption}`),
    ...unclear.map(({ gap, because }) => `  ? ${gap.padEnd(width)}  unclear: ${oneLine(because)}`),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n')
}

/** Formats a file of assumptions with the exchanges that show each. */
export function formatLiveAssumptions(
  { findings, requests }: Calibration,
  baseUrl: string,
  at: string,
): string {
  const learned = findings.filter(({ assumption }) => assumption !== undefined)
  const lines = learned.flatMap(({ gap, assumption, because }) => [
    `  # ${oneLine(because)}`,
    `  ${gap}: '${assumption}'`,
  ])
  return [
    `# How ${oneLine(baseUrl)} settles the points that its interface leaves open: ${learned.length} of ${findings.length} gaps,`,
    `# learned by agent-mailbox-sim calibrate with ${counted(requests, 'request')}, ${at}.`,
    `# The others have their default assumption. To serve with this file: ${invocation} --assume <this file>`,
    learned.length === 0 ? 'assume: {}' : 'assume:',
    ...lines,
    '',
  ].join('\n')
}

/** Formats foreign text in one line of limited length: control characters could end a comment or hide text. */
function oneLine(text: string): string {
  return truncate(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' '), 300)
}
