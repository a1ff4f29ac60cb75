import type { Language } from '../language.js'
import type { Circumstances } from './circumstances.js'
import { spoken } from './greetings.js'
import { variant } from './variant.js'

const THANKS = 4

/** The person's closing words and name, and what stands below them in a first message. */
export function personSignature(
  language: Language,
  circumstances: Circumstances,
  index: number,
  titles: string,
): string {
  const { closings, devices } = language
  const { voice } = circumstances
  const closing = variant(index === THANKS ? closings.calm : closings.person, voice, 400)
  const name = language.signName(circumstances, index, titles)
  const device = index > 0 || titles !== '' ? '' : deviceLine(variant(devices, voice, 401))
  return `${spoken(closing, circumstances)}${name}${device}`
}

/** The agent's closing words, its name and the organization's. */
export function agentSignature(language: Language, circumstances: Circumstances): string {
  const closing = variant(language.closings.agent, circumstances.voice, 500)
  return `${spoken(closing, circumstances)}${language.signAgent(circumstances)}`
}

function deviceLine(device: string): string {
  return device === '' ? '' : `\n\n${device}`
}
