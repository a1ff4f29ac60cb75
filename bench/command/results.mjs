import { accessSync, constants, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotMeasure } from './cannot-measure.mjs'

/** The file that results go to; one that cannot be written is refused now, not after ten minutes. */
export function resultsFile({ json, quick }) {
  const ours = new URL(quick ? '../results-quick.json' : '../results.json', import.meta.url)
  // npm changes to the project's folder; a path is meant from where the command was typed.
  const file = json === undefined ? fileURLToPath(ours) : resolve(process.env.INIT_CWD ?? '.', json)
  const problem = problemWith(file)
  if (problem) {
    throw new CannotMeasure(
      `The results cannot be written to ${file}: ${problem}. Name another --json file.`,
      2,
    )
  }
  return file
}

/** Writes results as JSON; what is there stays until all of the new is. */
export function writeResults(file, results) {
  const beside = `${file}.new`
  writeFileSync(beside, `${JSON.stringify(results, null, 2)}\n`)
  renameSync(beside, file)
}

function problemWith(file) {
  try {
    accessSync(dirname(file), constants.W_OK)
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? 'it is a folder' : undefined
  } catch (error) {
    return error.message
  }
}
