import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snippetOf } from '../../mail/index.js'
import { chooseReadings, createFingerprint, digestOf, Worlds } from '../../world/index.js'
import { loadScenario } from '../load.js'
import { findScenario } from '../source/find-scenario.js'
import { openPrepared } from './open-prepared.js'
import { type PreparedFile, prepareScenarios } from './prepare-scenarios.js'

let files: readonly PreparedFile[]
let path: string
const folder = () => pathToFileURL(`${path}/`)

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'prepared-'))
  files = await prepareScenarios()
  for (const { name, content } of files) await writeFile(join(path, name), content)
}, 60_000)

afterAll(() => rm(path, { recursive: true }))

/** What is prepared under a name, as a world would begin with it. */
async function preparedBeginning(name: string) {
  const opened = await openPrepared(await findScenario(name), undefined, folder())
  if (!opened) return undefined
  const told: unknown[] = []
  const loaded = await opened.load((progress) => told.push(progress))
  return { loaded, told, layers: opened.layers }
}

describe('a prepared scenario', () => {
  it.each(['empty', 'multi-agent', 'pagination-edges', 'slow-and-failing', 'support-desk'])(
    'is the very one that is written: %s',
    async (name) => {
      const written = await loadScenario(name)
      const prepared = await preparedBeginning(name)
      if (!prepared) throw new Error(`${name} was not prepared`)
      const { base, ...rest } = prepared.loaded
      expect(written).toMatchObject(rest)
      expect(Object.keys(rest).sort()).toEqual(
        Object.keys(written)
          .filter((key) => !['base', 'fingerprint', 'readings', 'origins'].includes(key))
          .sort(),
      )
      expect(createFingerprint(prepared.loaded)()).toBe(written.fingerprint())
      const digests = [written, { ...written, base }].map((beginning) =>
        digestOf(new Worlds(beginning, 'frozen').first),
      )
      expect(digests[0]).toBe(digests[1])
      const { readings, origins } = written
      expect(chooseReadings(prepared.layers)).toEqual({ readings, origins })
      const messages = base.database.count('message')
      expect(prepared.told).toEqual([{ messages, of: messages }])
    },
  )

  it('is none with another seed, another text, or a path', async () => {
    const found = await findScenario('empty')
    expect(await openPrepared(found, undefined, folder())).toBeDefined()
    expect(await openPrepared(found, 1, folder())).toBeDefined()
    expect(await openPrepared(found, 2, folder())).toBeUndefined()
    expect(
      await openPrepared({ ...found, text: `${found.text}# changed` }, undefined, folder()),
    ).toBeUndefined()
    expect(await openPrepared({ ...found, ships: undefined }, undefined, folder())).toBeUndefined()
  })

  it('is none where nothing was prepared', async () => {
    expect(
      await openPrepared(await findScenario('empty'), undefined, new URL('none/', folder())),
    ).toBeUndefined()
    expect(await preparedBeginning('world-mail')).toBeUndefined()
    expect(await preparedBeginning('busy-inbox')).toBeUndefined()
  })

  it('knows the snippets that take long', async () => {
    const { base } = await loadScenario('support-desk')
    const { bodies } = (await preparedBeginning('support-desk'))?.loaded.base ?? base
    const keys = [...base.database.all('message')].flatMap(({ body_key }) => body_key ?? [])
    const htmlOnly = keys.filter((key) => bodies(key).text === null)
    expect(htmlOnly.length).toBeGreaterThan(10)
    for (const key of htmlOnly) expect(bodies(key).snippet).toBe(snippetOf(base.bodies(key)))
  })

  it('says which body it does not have', async () => {
    const prepared = await preparedBeginning('support-desk')
    expect(() => prepared?.loaded.base.bodies('9:9:9')).toThrow('No prepared message has the body "9:9:9".')
  })
})
