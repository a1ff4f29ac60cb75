import { didYouMean } from '../../contract/text.js'
import type { Scenario } from '../format/index.js'

/** Returns what a scenario expects although hardly any client can achieve it. */
export function warningsOn({
  identities,
  organizations,
  rows,
  expect,
  readings,
  timeline,
}: Scenario): string[] {
  const handles = [identities, ...organizations.map((other) => other.identities)]
    .flat()
    .map(({ handle }) => handle)
  // Of a file of readings or a profile, it is not known here what it chooses.
  const mayBecomeRead =
    typeof readings === 'string' || JSON.stringify([readings, timeline]).includes('becomes-read')
  return expect.flatMap(({ thread, has, where }, index) => {
    const warnings: string[] = []
    const isReadInStory = timeline.some(({ read }) => read?.thread === thread)
    if (thread !== undefined && has?.['unread'] === false && !mayBecomeRead && !isReadInStory) {
      warnings.push(
        `expect[${index}].has.unread: no client can make a thread read by default; with readings: ` +
          '{ threads.unread-after-read: becomes-read }, listing its messages does',
      )
    }
    const agent = where?.query?.['agent']
    if (
      typeof agent === 'string' &&
      !agent.includes('{{') &&
      rows === undefined &&
      !handles.includes(agent.replace(/^@/, ''))
    ) {
      const hint = didYouMean(agent, handles)
      warnings.push(
        `expect[${index}].where.query.agent: there is no identity with the handle "${agent}"${hint}`,
      )
    }
    return warnings
  })
}
