import { isError } from '../../base/platform.js'
import { ScenarioError } from './problem.js'

/**
 * Converts a value thrown by a scenario's code into a problem of the first line in its stack trace that is in one of the
 * files, which are given by their paths with their names in messages.
 */
export function explainThrown(
  thrown: unknown,
  what: string,
  source: string,
  files: ReadonlyMap<string, string> = new Map(),
): ScenarioError {
  const frames = isError(thrown) ? (thrown.stack ?? '').split('\n') : []
  const [place] = frames.flatMap((frame) => {
    // A frame of V8, or the line of a syntax error that names its file.
    const [, file = '', line] = /^ +(?:at )?(?:.*[( ])?(\/.*|[A-Za-z]:.*):(\d+):\d+\)?$/.exec(frame) ?? []
    const name = files.get(file)
    return name === undefined ? [] : [{ name, line: Number(line) }]
  })
  const problem = {
    ...(place && { line: place.line }),
    key: '',
    message: `${what} throws ${messageOf(thrown)}`,
  }
  return new ScenarioError('invalid', place?.name ?? source, [problem], { cause: thrown })
}

function messageOf(thrown: unknown): string {
  if (!isError(thrown)) return typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown)
  const [message = ''] = thrown.message.split('\n')
  return message === '' ? thrown.name : `${thrown.name}: ${message.trimEnd()}`
}
