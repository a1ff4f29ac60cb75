import { rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { folderOf } from '../source/folder.fixture.js'
import { stateOf } from './source-state.js'

it('tells a file from what it was', async () => {
  const folder = await folderOf({ 'a.eml': 'Hello' })
  const file = pathToFileURL(`${folder}/a.eml`)
  const before = await stateOf(file)
  await writeFile(file, 'Hello')
  expect(await stateOf(file)).toBe(before)
  await writeFile(file, new Uint8Array([0x80]))
  const one = await stateOf(file)
  await writeFile(file, new Uint8Array([0x81]))
  const other = await stateOf(file)
  await rm(file)
  expect(new Set([before, one, other, await stateOf(file)]).size).toBe(4)
})

it('tells a folder from what it was by the names in it', async () => {
  const folder = await folderOf({ 'mail/a.eml': 'Hello' })
  const url = pathToFileURL(`${folder}/mail`)
  const before = await stateOf(url)
  await writeFile(`${folder}/mail/a.eml`, 'Other words')
  expect(await stateOf(url)).toBe(before)
  await writeFile(`${folder}/mail/b.eml`, 'Hello')
  expect(await stateOf(url)).not.toBe(before)
})
