import { isError } from '../../base/platform.js'
import { ScenarioError, type ScenarioProblem } from '../problems/problem.js'

/** The files a scenario's code is run from. */
interface CodeFiles {
  readonly paths: Iterable<string>
  /** Returns the name of a file in messages. */
  nameOf(path: string): string
}

/** Converts a value thrown by a scenario's code into a problem of the file that threw it, if known. */
export function explainThrown(
  thrown: unknown,
  what: string,
  source: string,
  files?: CodeFiles,
): ScenarioError {
  const place = files && placeOf(thrown, files)
  const line = place ? { line: place.line } : {}
  const problem: ScenarioProblem = { ...line, key: '', message: `${what} throws ${messageOf(thrown)}` }
  return new ScenarioError('invalid', place?.file ?? source, [problem], { cause: thrown })
}

function messageOf(thrown: unknown): string {
  if (!isError(thrown)) return typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown)
  const [message = ''] = thrown.message.split('\n')
  return message === '' ? thrown.name : `${thrown.name}: ${message.trimEnd()}`
}

/**
 * Finds where in the files an error was thrown: the first frame of its stack trace in one of
 * them, or the line of its message that names one, as of a syntax error.
 */
function placeOf(
  thrown: unknown,
  { paths, nameOf }: CodeFiles,
): { readonly file: string; readonly line: number } | undefined {
  const known = [...paths]
  const stack = isError(thrown) ? (thrown.stack ?? '') : ''
  for (const frame of stack.split('\n')) {
    const [, before = '', line] = /^ +(?:at )?(.*):(\d+):\d+\)?$/.exec(frame) ?? []
    const path = known.find(
      (one) => before === one || before.endsWith(`(${one}`) || before.endsWith(` ${one}`),
    )
    if (path !== undefined) return { file: nameOf(path), line: Number(line) }
  }
  return undefined
}
