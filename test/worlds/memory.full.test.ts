import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'

const measure = fileURLToPath(new URL('memory-program.mjs', import.meta.url))

/** Bytes, but for `messages` of the mailbox that is forked, and `kept` bases of 20 deleted worlds. */
interface Measured {
  readonly before: number
  readonly after: number
  readonly kept: number
  readonly messages: number
  readonly fork: number
}

let measured: Measured

beforeAll(async () => {
  const dist = join(dirname(built.main), '..')
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', measure, dist])
  measured = JSON.parse(stdout)
}, 180_000)

describe('the memory of a server', () => {
  it('does not grow after 12,000 requests, 120 dropped forks and 120 resets', () => {
    const { before, after } = measured
    expect(before).toBeGreaterThan(1_000_000)
    expect(after / before).toBeLessThan(1.1)
  })

  it('has no base of a deleted world with a scenario of its own', () => {
    // That of the latest one may still be in use by its connection.
    expect(measured.kept).toBeLessThan(3)
  })

  it('has at most 200 kB for an unchanged fork of 100,000 messages', () => {
    const { messages, fork } = measured
    expect(messages).toBeGreaterThan(100_000)
    expect(fork).toBeLessThan(200_000)
  })
})
