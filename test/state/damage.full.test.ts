import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, describe as suite } from 'vitest'
import type { StateError } from '../../src/service/model/errors.js'
import { ask } from '../server/control-client.js'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf, openDesk } from './open-desk.js'

/** How a file may be damaged. */
const damages: Record<string, (path: string, bytes: Buffer) => void> = {
  deleted: (path) => rmSync(path),
  'with garbage at its end': (path, bytes) =>
    writeFileSync(path, `${bytes.toString('latin1')}garbage`, 'latin1'),
  ...Object.fromEntries(
    [0, 0.5].map((part) => [
      `cut to ${part} of it`,
      (path: string, { length }: Buffer) => truncateSync(path, Math.floor(length * part)),
    ]),
  ),
  'with a bit changed': (path, bytes) => {
    const at = Math.floor(bytes.length * 0.4)
    const changed = bytes.subarray(at, at + 1).map((byte) => byte ^ 1)
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), changed, bytes.subarray(at + 1)]))
  },
  'without its last byte': (path, { length }) => truncateSync(path, Math.max(0, length - 1)),
  'with zeros in it': (path, bytes) =>
    writeFileSync(path, Buffer.from(bytes).fill(0, Math.floor(bytes.length / 2))),
}

suite('a state with a damaged file', () => {
  it('is read as far as possible with a warning, or refused with the remedy', async () => {
    const whole = await folderOf()
    const first = await openDesk(whole)
    const { body: fork } = await ask(first, 'POST', '/worlds', { body: {} })
    const apiKeys = ['desk-key', fork.api_key as string]
    const last = 6
    const write = async (server: { url: string }, from: number, to: number): Promise<void> => {
      for (let number = from; number <= to; number++)
        for (const key of apiKeys) await describe(server, `number ${number}`, key)
    }
    await write(first, 1, 4)
    await first.close()
    // Opened again, so that a table exists beside the log.
    const second = await openDesk(whole)
    await write(second, 5, last)
    await second.close()

    const seen = new Set<string>()
    const files = readdirSync(whole, { recursive: true, withFileTypes: true }).filter(
      // Nothing is read from the others.
      (each) => each.isFile() && !/LOCK|LOG/.test(each.name),
    )
    for (const { parentPath, name } of files) {
      for (const [damage, apply] of Object.entries(damages)) {
        const copy = await folderOf()
        cpSync(whole, copy, { recursive: true })
        const path = join(parentPath.replace(whole, copy), name)
        apply(path, readFileSync(path))
        const what = `${basename(path)} ${damage}`
        const server = await openDesk(copy).catch((error: StateError) => error)
        if (server instanceof Error) {
          expect([what, server.code]).toEqual([what, 'damaged'])
          expect(`${what}: ${server.message}`).toMatch(/--state-reset|state drop/)
          seen.add('refused')
          continue
        }
        for (const key of apiKeys) {
          const { status, description, error } = await descriptionOf(server, key)
          if (status === 200 && description === `number ${last}`) seen.add('whole')
          else if (status === 500 && error?.code === 'state_damaged') seen.add('a world is refused')
          else {
            expect([what, server.warnings.join()]).toEqual([what, expect.stringMatching(/missing|left out/)])
            seen.add('less, and said so')
          }
        }
        await server.close()
      }
    }
    expect([...seen].sort()).toEqual(['a world is refused', 'less, and said so', 'refused', 'whole'])
  })
})
