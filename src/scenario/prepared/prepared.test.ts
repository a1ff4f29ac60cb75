import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snippetOf } from '../../mail/index.js'
import { chooseReadings, createFingerprint, digestOf, Worlds } from '../../world/index.js'
import { loadScenario } from '../load.js'
import { findScenario, type ScenarioSource, shippedScenarios } from '../source/find-scenario.js'
import { openPrepared } from './open-prepared.js'
import { type PreparedFile, prepareScenarios } from './prepare-scenarios.js'
import type { PreparedScenario } from './prepared-scenario.js'

// All but one, which is too large.
const prepared = (await shippedScenarios()).filter((name) => name !== 'busy-inbox')

let files: readonly PreparedFile[]
let path: string
const folder = () => pathToFileURL(`${path}/`)

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'prepared-'))
  files = await prepareScenarios()
  for (const { name, content } of files) await writeFile(join(path, name), content)
}, 60_000)

afterAll(() => rm(path, { recursive: true }))

const contentOf = (name: string): string => files.find((file) => file.name === name)?.content ?? ''

/** What is prepared under a name, as a world would begin with it. */
async function preparedBeginning(name: string) {
  const files: string[] = []
  const note = (file: URL): void => void files.push(file.href)
  const opened = await openPrepared(await findScenario(name), { seed: undefined, note }, folder())
  if (!opened) return undefined
  const told: unknown[] = []
  const loaded = await opened.load((progress) => told.push(progress))
  return { loaded, told, files, layers: opened.layers }
}

describe('a prepared scenario', () => {
  it.each(prepared)('is the very one that is written: %s', async (name) => {
    const files: string[] = []
    const written = await loadScenario(name, { onFile: ({ href }) => files.push(href) })
    const ready = await preparedBeginning(name)
    if (!ready) throw new Error(`${name} was not prepared`)
    const { base, ...rest } = ready.loaded
    expect(written).toMatchObject(rest)
    expect(Object.keys(rest).sort()).toEqual(
      Object.keys(written)
        .filter((key) => !['base', 'fingerprint', 'readings', 'origins'].includes(key))
        .sort(),
    )
    expect(createFingerprint(ready.loaded)()).toBe(written.fingerprint())
    const digests = [written, { ...written, base }].map((beginning) =>
      digestOf(new Worlds(beginning, 'frozen').first),
    )
    expect(digests[0]).toBe(digests[1])
    expect([...ready.files].sort()).toEqual(files.slice(1).sort())
    const { readings, origins } = written
    expect(chooseReadings(ready.layers)).toEqual({ readings, origins })
    const messages = base.database.count('message')
    expect(ready.told).toEqual([{ messages, of: messages }])
  })

  it('is none with another seed, another text, or found by a path', async () => {
    const found = await findScenario('empty')
    const open = (source: ScenarioSource, seed?: number) =>
      openPrepared(source, { seed, note: () => undefined }, folder())
    expect(await open(found)).toBeDefined()
    expect(await open(found, 1)).toBeDefined()
    expect(await open(found, 2)).toBeUndefined()
    expect(await open({ ...found, text: `${found.text}# changed` })).toBeUndefined()
    expect(await open({ ...found, ships: undefined })).toBeUndefined()
  })

  it('is none where a file of it is another one since', async () => {
    const found = await findScenario('refund-request')
    const { sources, ...rest }: PreparedScenario = JSON.parse(contentOf('refund-request.json'))
    const [[path, state] = ['', ''], ...others] = sources
    expect(path).toBe('fixtures/mail/refund-reply.eml')
    const elsewhere = new URL('elsewhere/', folder())
    const openWith = async (now: string) => {
      const changed = JSON.stringify({ ...rest, sources: [[path, now], ...others] })
      await writeFile(new URL('refund-request.json', elsewhere), changed)
      return openPrepared(found, { seed: undefined, note: () => undefined }, elsewhere)
    }
    await mkdir(elsewhere)
    await writeFile(new URL('refund-request.bodies.json', elsewhere), contentOf('refund-request.bodies.json'))
    expect(await openWith(state)).toBeDefined()
    expect(await openWith(`${state}0`)).toBeUndefined()
  })

  it('is none where nothing was prepared, nor where there is too much', async () => {
    const options = { seed: undefined, note: () => undefined }
    expect(
      await openPrepared(await findScenario('empty'), options, new URL('none/', folder())),
    ).toBeUndefined()
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
