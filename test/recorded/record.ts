import { readFile, writeFile } from 'node:fs/promises'
import { projectFile } from '../examples/languages.js'

/** Recorded answers: by section, such as a moment of a story, and in it by request. */
export type RecordedAnswers = Map<string, Map<string, string>>

const file = projectFile('test/recorded/answers.txt')

/** Between a request and its answer, in a line of the record. */
const arrow = ' => '

const introduction = `The answers of every scenario that ships, and the verdicts on the example agents, one line each. Made anew with
RECORD_ANSWERS=1 npx vitest run --config vitest.full.config.ts test/recorded-answers.full.test.ts
`

/** Reads the record; it is empty if there is none. */
export async function readRecord(): Promise<RecordedAnswers> {
  const answers: RecordedAnswers = new Map()
  const text = await readFile(file, 'utf8').catch(() => '')
  for (const part of text.split('\n## ').slice(1)) {
    const [section = '', ...lines] = part.trimEnd().split('\n')
    answers.set(section, new Map(lines.map(pairOf)))
  }
  return answers
}

function pairOf(line: string): [string, string] {
  const [name = '', ...answer] = line.split(arrow)
  return [name, answer.join(arrow)]
}

/** Writes the record. */
export async function writeRecord(answers: RecordedAnswers): Promise<void> {
  const sections = [...answers].map(([section, lines]) => {
    const shown = [...lines].map(([name, answer]) => `${name}${arrow}${answer}\n`)
    return `\n## ${section}\n${shown.join('')}`
  })
  await writeFile(file, introduction + sections.join(''))
}

/** Returns what differs between two records of a section, with the section's name, the request and both answers. */
export function differences(
  section: string,
  expected: ReadonlyMap<string, string> = new Map(),
  found: ReadonlyMap<string, string> = new Map(),
): string[] {
  const names = new Set([...expected.keys(), ...found.keys()])
  return [...names].flatMap((name) => {
    const [before, now] = [expected.get(name) ?? 'nothing', found.get(name) ?? 'nothing']
    if (before === now) return []
    return [`${section}: ${name}\n  expected ${before}\n  found    ${now}`]
  })
}
