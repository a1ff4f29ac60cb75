import { z } from '../../contract/schema.js'

/** What the first line of a tape says that it is. */
export const tapeFormat = 'agent-mailbox-sim/tape'

/** The version of the format that is written. */
export const tapeVersion = 1

/** The first line of a tape. */
export const tapeHead = z.object({
  format: z.literal(tapeFormat),
  version: z.literal(tapeVersion),
  scenario: z.string(),
  seed: z.number(),
  /** What may differ from run to run, as `--volatile` takes it. */
  volatile: z.array(z.string()),
})

/** One request, as a line of a tape has it. */
export const tapedRequest = z.object({
  method: z.string(),
  path: z.string(),
  /** Values by name; a list where a name was given more than once. */
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** What JSON says, or the text where it is none; null where there was none. */
  body: z.json(),
})

/** The first line of a tape. */
export type TapeHead = z.infer<typeof tapeHead>

/** One request, as a line of a tape has it. */
export type TapedRequest = z.infer<typeof tapedRequest>

/** A tape that was read. */
export interface Tape {
  /** Its file, as it was named. */
  readonly file: string
  readonly head: TapeHead
  /** Requests with their lines in the file, counted from 1. */
  readonly requests: readonly { readonly line: number; readonly request: TapedRequest }[]
}
