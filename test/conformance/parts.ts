import { readdirSync } from 'node:fs'
import type { Transport } from './transport.js'

/** A part of the suite. */
interface Part {
  describePart(transport: Transport): void
}

const names = readdirSync(new URL('suite/', import.meta.url)).toSorted()

/** The suite, in the order of the interface. */
export const parts: readonly Part[] = await Promise.all(
  names.map((name) => import(/* @vite-ignore */ `./suite/${name}`) as Promise<Part>),
)
