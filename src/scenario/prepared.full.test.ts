import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { sharedFolder } from '../../test/support/temporary-folder.js'
import { snippetOf } from '../mail/index.js'
import { chooseReadings, createFingerprint, digestOf, Worlds } from '../world/index.js'
import { loadScenario } from './load.js'
import { openPrepared, prepareScenarios } from './prepared.js'
import { findScenario, type ScenarioSource, shippedScenarios } from './source/find-scenario.js'

const path = sharedFolder()
let names: string[]
const folder = () => pathToFileURL(`${path}/`)
const noSeed = { seed: undefined, note: () => undefined }

beforeAll(async () => {
  const files = await prepareScenarios()
  names = files.map(({ name }) => name.replace('.json', ''))
  for (const { name, content } of files) await writeFile(join(path, name), content)
}, 120_000)

it('equals the scenario as written for each shipped scenario that is not too large', async () => {
  expect(names).toEqual((await shippedScenarios()).filter((name) => name !== 'busy-inbox'))
  for (const name of names) {
    const files: string[] = []
    const noted: string[] = []
    const written = await loadScenario(name, { onFile: ({ href }) => files.push(href) })
    const note = ({ href }: URL): void => void noted.push(href)
    const opened = await openPrepared(await findScenario(name), { seed: undefined, note }, folder())
    const loaded = await opened?.load()
    if (!opened || !loaded) throw new Error(`${name} was not prepared`)
    const { base, ...rest } = loaded
    expect(written).toMatchObject(rest)
    expect(createFingerprint(loaded)()).toBe(written.fingerprint())
    const digests = [written, { ...written, base }].map((state) =>
      digestOf(new Worlds(state, 'frozen').first),
    )
    expect(digests[0]).toBe(digests[1])
    expect(noted.sort()).toEqual(files.slice(1).sort())
    const { readings, origins } = written
    expect(chooseReadings(opened.layers)).toEqual({ readings, origins })
  }
}, 60_000)

it('is not used with another seed or text, for a path, or if not prepared', async () => {
  const found = await findScenario('empty')
  const open = (source: ScenarioSource, seed?: number, where = folder()) =>
    openPrepared(source, { ...noSeed, seed }, where)
  expect(await open(found)).toBeDefined()
  expect(await open(found, 1)).toBeDefined()
  expect(await open(found, 2)).toBeUndefined()
  expect(await open({ ...found, text: `${found.text}# changed` })).toBeUndefined()
  expect(await open({ ...found, ships: undefined })).toBeUndefined()
  expect(await open(found, undefined, new URL('none/', folder()))).toBeUndefined()
})

it('has snippets of HTML bodies and names a missing body in its error', async () => {
  const { base } = await loadScenario('support-desk')
  const opened = await openPrepared(await findScenario('support-desk'), noSeed, folder())
  const { bodies } = (await opened?.load())?.base ?? base
  const keys = [...base.database.all('message')].flatMap(({ body_key }) => body_key ?? [])
  const htmlOnly = keys.filter((key) => bodies(key).text === null)
  expect(htmlOnly.length).toBeGreaterThan(10)
  for (const key of htmlOnly) expect(bodies(key).snippet).toBe(snippetOf(base.bodies(key)))
  expect(() => bodies('9:9:9')).toThrow('No prepared message has the body "9:9:9".')
})
