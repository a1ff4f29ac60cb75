import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.js'

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'make-folder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('making a folder', () => {
  test('makes those it is in as well, and does nothing where it is there', async () => {
    const path = join(await someFolder(), 'a', 'b', 'c/')
    await makeFolder(path)
    await makeFolder(path)
    expect((await stat(path)).isDirectory()).toBe(true)
  })

  test('is refused below a file', async () => {
    const file = join(await someFolder(), 'file')
    await writeFile(file, '')
    await expect(makeFolder(join(file, 'a'))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })

  test.runIf(existsSync('/proc/self'))('is refused where the system makes none', async () => {
    await expect(makeFolder('/proc/nowhere/a')).rejects.toThrow('ENOENT')
  })
})
