import type { Circumstances } from './circumstances.js'
import { variant } from './variant.js'

const PERSON_CLOSINGS = [
  'Best regards,\n',
  'Kind regards,\n',
  'Regards,\n',
  'Thanks,\n',
  'Many thanks,\n',
  'Best,\n',
  '',
  '',
] as const
// For messages that are a thank-you already.
const CALM_CLOSINGS = ['Best regards,\n', 'Kind regards,\n', 'Cheers,\n', 'Best,\n', ''] as const
const AGENT_CLOSINGS = ['Kind regards,', 'Best regards,', 'All the best,', 'With best wishes,'] as const
const DEVICES = ['', '', '', '', '', '', '', '\n\nSent from my phone', '\n\nSent from my tablet'] as const

const THANKS = 4

/** The person's closing words and name: in full under the first message, then by first name. */
export function personSignature(circumstances: Circumstances, index: number, titles: string): string {
  const { firstName, lastName, voice } = circumstances
  const closing = variant(index === THANKS ? CALM_CLOSINGS : PERSON_CLOSINGS, voice, 400)
  if (index > 0) return `${closing}${firstName}`
  if (titles !== '') return `${closing}${firstName} ${lastName}\n${titles}`
  return `${closing}${firstName} ${lastName}${variant(DEVICES, voice, 401)}`
}

/** The agent's closing words, its name and the organization's. */
export function agentSignature({ agentName, company, voice }: Circumstances): string {
  const closing = variant(AGENT_CLOSINGS, voice, 500)
  return agentName === company ? `${closing}\n${company}` : `${closing}\n${agentName}\n${company}`
}
