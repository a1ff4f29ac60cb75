import type { Random } from '../../service/time/random.js'
import { formatMailDate } from '../../service/time/time.js'
import type { ScenarioGenerate } from '../format/identity.js'
import { earlierLetter, inForms, type Letter } from './apply-forms.js'
import type { LetterFormName } from './forms.js'

/** A generated message as it is written without a form. */
interface PlainLetter extends Pick<Letter, 'from' | 'to' | 'subject' | 'text' | 'html'> {
  /** When it is written, in milliseconds since the epoch. */
  readonly created_at: number
}

/** Creates the function that draws the form of a message from outside; undefined if none has a form. */
export function createFormChoice({ forms: wanted }: Pick<ScenarioGenerate, 'forms'>) {
  if (wanted === undefined) return undefined
  const shares = Array.isArray(wanted)
    ? wanted.map((name) => [name, 1 / wanted.length] as const)
    : (Object.entries(wanted) as [LetterFormName, number][])
  const choices: { name: LetterFormName | undefined; weight: number }[] = shares.map(([name, weight]) => {
    return { name, weight }
  })
  const sum = choices.reduce((sum, { weight }) => sum + weight, 0)
  choices.push({ name: undefined, weight: Math.max(0, 1 - sum) })
  return (random: Random) => random.weighted(choices).name
}

/** Returns a generated message in a form; `earlier` is the message that it answers. */
export function inGeneratedForm(
  name: LetterFormName,
  letter: PlainLetter,
  { agent, earlier }: { readonly agent: string; readonly earlier: PlainLetter | undefined },
): Letter {
  return inForms([name], letter, {
    agent,
    date: formatMailDate(letter.created_at),
    earlier: earlier && earlierLetter(earlier, earlier.created_at),
  })
}
