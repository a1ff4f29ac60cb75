import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { appendToFile, explainWriteError, prepareFile, writeFileWhole } from './write-file.js'

describe('prepareFile', () => {
  it('creates the folder and leaves nothing in it, nor changes the file', async () => {
    const folder = join(await folderOf(), 'new')
    await prepareFile(join(folder, 'report.json'))
    expect(await readdir(folder)).toEqual([])
    await writeFile(join(folder, 'report.json'), 'old')
    await prepareFile(join(folder, 'report.json'))
    expect(await readFile(join(folder, 'report.json'), 'utf8')).toBe('old')
  })

  it.runIf(existsSync('/sys/kernel'))(
    'fails for a folder that takes no files, with an explanation',
    async () => {
      const explanation = await prepareFile('/sys/report.json').catch(explainWriteError)
      expect(explanation).toBe('this user may not write there; choose another path')
    },
  )
})

describe('writeFileWhole', () => {
  it('replaces the file, keeps its permissions and leaves nothing else', async () => {
    const folder = await folderOf()
    const file = join(folder, 'report.json')
    await writeFile(file, 'old')
    await chmod(file, 0o600)
    await writeFileWhole(file, 'new')
    expect(await readFile(file, 'utf8')).toBe('new')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['report.json'])
  })

  it('leaves the old file if the content cannot be written', async () => {
    const folder = await folderOf()
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

  it('follows a link and writes directly to a device', async () => {
    const folder = await folderOf()
    await writeFile(join(folder, 'target'), 'old')
    await symlink('target', join(folder, 'link'))
    await writeFileWhole(join(folder, 'link'), 'new')
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('new')
    await writeFileWhole('/dev/null', 'gone')
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  })

  it.skipIf(process.platform === 'win32')(
    'replaces a pipe, also in the place of its temporary file',
    async () => {
      const folder = await folderOf()
      const file = join(folder, 'report.json')
      execFileSync('mkfifo', [file, join(folder, `.report.json.${process.pid}.tmp`)])
      await writeFileWhole(file, 'verdict')
      expect(await readFile(file, 'utf8')).toBe('verdict')
      expect(await readdir(folder)).toEqual(['report.json'])
    },
  )
})

describe('appendToFile', () => {
  it.skipIf(process.platform === 'win32')('does not wait for the reader of a pipe', async () => {
    const file = join(await folderOf(), 'summary.md')
    await appendToFile(file, 'a')
    await appendToFile(file, 'b')
    expect(await readFile(file, 'utf8')).toBe('ab')
    const pipe = `${file}.pipe`
    execFileSync('mkfifo', [pipe])
    await expect(appendToFile(pipe, 'c')).rejects.toThrow('it is not a file')
  })
})
