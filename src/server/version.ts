import { readFileSync } from 'node:fs'
import { packageRoot } from '../contract/package-root.js'

/** The version of this package. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).version
