import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CannotMeasure } from '../command/cannot-measure.mjs'

/** The program of a package that is installed here; refuses where it is not. */
export function programOf(name, file) {
  const program = fileURLToPath(new URL(`../node_modules/${name}/${file}`, import.meta.url))
  if (!existsSync(program)) {
    throw new CannotMeasure(
      `${name} is not installed in bench/node_modules. Run "npm ci --ignore-scripts" in bench/, then try again.`,
    )
  }
  return program
}
