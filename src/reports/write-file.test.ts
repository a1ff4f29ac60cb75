import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder, writeFileWhole } from './write-file.js'

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

describe('writing a file as a whole', () => {
  test('replaces the file, keeps its permissions and leaves nothing else', async () => {
    const folder = await someFolder()
    const file = join(folder, 'report.json')
    await writeFile(file, 'old')
    await chmod(file, 0o600)
    await writeFileWhole(file, 'new')
    expect(await readFile(file, 'utf8')).toBe('new')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['report.json'])
  })

  test('leaves the old file if the content cannot be written', async () => {
    const folder = await someFolder()
    const file = join(folder, 'report.json')
    await writeFile(file, 'old')
    async function* broken() {
      yield 'half'
      throw new Error('no space left')
    }
    await expect(writeFileWhole(file, broken())).rejects.toThrow('no space left')
    expect(await readFile(file, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['report.json'])
  })

  test('follows a link, and writes to a device as it is', async () => {
    const folder = await someFolder()
    await writeFile(join(folder, 'target'), 'old')
    await symlink('target', join(folder, 'link'))
    await writeFileWhole(join(folder, 'link'), 'new')
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('new')
    await writeFileWhole('/dev/null', 'gone')
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  })
})
