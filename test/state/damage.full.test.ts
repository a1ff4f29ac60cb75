import { appendFileSync, cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, describe as suite } from 'vitest'
import type { StateError } from '../../src/service/model/errors.js'
import { ask } from '../server/control-client.js'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf, openDesk } from './open-desk.js'

/** How a file may be damaged. */
const damages: Record<string, (path: string, bytes: Buffer) => void> = {
  'with garbage at its end': (path) => appendFileSync(path, 'garbage'),
  'with a line of garbage at its end': (path) => appendFileSync(path, 'garbage\n'),
  'with a line of another format at its end': (path) => appendFileSync(path, '[{"type":"none","seq":1}]\n'),
  'cut to nothing': (path) => truncateSync(path, 0),
  'cut in its middle': (path, { length }) => truncateSync(path, Math.floor(length / 2)),
  'without its last byte': (path, { length }) => truncateSync(path, Math.max(0, length - 1)),
  'with a quotation mark less': (path, bytes) =>
    writeFileSync(path, bytes.toString().replace(/"(?=[^"]*"[^"]*$)/, '')),
  'with zeros in it': (path, bytes) =>
    writeFileSync(path, Buffer.from(bytes).fill(0, Math.floor(bytes.length / 2), bytes.length - 1)),
}

suite('a state with a damaged file', () => {
  it('is read as far as possible, refused with the remedy, or refused for the one world', async () => {
    const whole = await folderOf()
    const first = await openDesk(whole)
    const { body: fork } = await ask(first, 'POST', '/worlds', { body: {} })
    const worlds = { world_1: 'desk-key', [fork.id as string]: fork.api_key as string }
    const last = 6
    for (let number = 1; number <= last; number++)
      for (const key of Object.values(worlds)) await describe(first, `number ${number}`, key)
    await first.close()

    const seen = new Set<string>()
    for (const name of readdirSync(whole)) {
      for (const [damage, apply] of Object.entries(damages)) {
        const copy = await folderOf()
        cpSync(whole, copy, { recursive: true })
        const path = join(copy, name)
        apply(path, readFileSync(path))
        const what = `${name} ${damage}`
        const server = await openDesk(copy).catch((error: StateError) => error)
        if (server instanceof Error) {
          expect([what, server.code]).toEqual([what, 'damaged'])
          expect(`${what}: ${server.message}`).toMatch(/worlds\.json is damaged.*--state-reset/)
          seen.add('refused')
          continue
        }
        for (const [id, key] of Object.entries(worlds)) {
          const { status, description, error } = await descriptionOf(server, key)
          const warned = server.warnings.join('\n')
          if (status === 200 && description === `number ${last}`) seen.add('whole')
          else if (status === 500) {
            expect([what, error?.code]).toEqual([what, 'state_damaged'])
            expect(`${what}: ${error?.message}`).toMatch(new RegExp(`${id}\\.jsonl, line \\d+ is damaged: `))
            expect(warned).toContain(error?.message)
            seen.add('a world is refused')
          } else {
            // What an interrupted write leaves.
            expect([what, status]).toEqual([what, 200])
            expect(damage).toMatch(/cut|last byte/)
            seen.add('less')
          }
        }
        await server.close()
      }
    }
    expect([...seen].sort()).toEqual(['a world is refused', 'less', 'refused', 'whole'])
  })
})
