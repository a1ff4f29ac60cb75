import { Option } from 'commander'
import type { ReadingChoices, ReadingsLayer } from '../world/index.js'
import { collectChoice } from './flag-values.js'

/** The flags by which a command is told its readings. */
export interface ReadingsFlags {
  readonly readings?: string
  readonly reading?: readonly ReadingChoices[]
}

/** `--readings`: checked where it is used, since it may name a file. */
export function readingsOption(): Option {
  return new Option('--readings <profile|file>', 'default, worst-case, seed:<n>, a file, or gap=reading,...')
}

/** `--reading`: counts for more than `--readings`, wherever it stands. */
export function readingOption(): Option {
  return new Option('--reading <gap=reading>', 'the reading of one gap (repeatable)').argParser(collectChoice)
}

/** What the flags ask for, the later the more it counts. */
export function layersOfFlags({ readings, reading = [] }: ReadingsFlags): ReadingsLayer[] {
  return [{ from: '--readings', input: readings }, ...reading.map((input) => ({ from: '--reading', input }))]
}
