import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FileWatch } from './file-watch.js'

const meanwhile = vi.hoisted(() => ({ beforeWatch: (_folder: string): void => undefined }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const watch = (folder: string, ...others: never[]) => {
    meanwhile.beforeWatch(folder)
    return (fs.watch as (...args: unknown[]) => unknown)(folder, ...others)
  }
  return { ...fs, watch }
})

beforeEach(() => {
  meanwhile.beforeWatch = () => undefined
})

/** Has something done just before a folder is watched for the first time. */
function justBeforeWatching(wanted: string, act: () => void): void {
  let isDone = false
  meanwhile.beforeWatch = (folder) => {
    if (isDone || folder !== wanted) return
    isDone = true
    act()
  }
}

async function useFolder(): Promise<(...names: string[]) => string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'file-watch-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}

interface Watching {
  readonly watch: FileWatch
  /** Whether each change so far was one of the files. */
  readonly changes: boolean[]
  update(): boolean
}

/** Watches those files; `update` looks again where they are. */
function watching(...files: readonly string[]): Watching {
  const changes: boolean[] = []
  const watch = new FileWatch((isOurs) => void changes.push(isOurs))
  onTestFinished(() => watch.close())
  const urls = files.map((file) => pathToFileURL(file))
  watch.update(urls)
  return { watch, changes, update: () => watch.update(urls) }
}

const anyChange = ({ changes }: Watching) => expect.poll(() => changes.length, { timeout: 20_000 })
const ownChange = ({ changes }: Watching) => expect.poll(() => changes, { timeout: 20_000 })

describe('FileWatch', () => {
  it('tells of a file that is written, and of others beside it', async () => {
    const path = await useFolder()
    const watched = watching(path('story.yaml'))
    writeFileSync(path('other.txt'), 'x')
    await anyChange(watched).toBeGreaterThan(0)
    expect(watched.changes).not.toContain(true)
    writeFileSync(path('story.yaml'), 'x')
    await ownChange(watched).toContain(true)
  })

  it('tells of what comes into a folder among the files, though it was empty', async () => {
    const path = await useFolder()
    mkdirSync(path('mail/new'), { recursive: true })
    const watched = watching(path('story.yaml'), path('mail'), path('mail/new'))
    writeFileSync(path('mail/new/1.eml'), 'x')
    await ownChange(watched).toContain(true)
  })

  it('tells that a folder was moved away, and then sees the one in its place', async () => {
    const path = await useFolder()
    mkdirSync(path('stories'))
    writeFileSync(path('stories/story.yaml'), 'One')
    const watched = watching(path('stories/story.yaml'))
    renameSync(path('stories'), path('before'))
    await ownChange(watched).toContain(true)
    watched.update()
    watched.changes.length = 0
    mkdirSync(path('stories'))
    await anyChange(watched).toBeGreaterThan(0)
    watched.update()
    watched.changes.length = 0
    writeFileSync(path('stories/story.yaml'), 'Two')
    await ownChange(watched).toContain(true)
  })

  it('sees a folder that came while the one around it was about to be watched', async () => {
    const path = await useFolder()
    justBeforeWatching(path(), () => mkdirSync(path('stories')))
    const watched = watching(path('stories/story.yaml'))
    writeFileSync(path('stories/story.yaml'), 'x')
    await ownChange(watched).toContain(true)
  })

  it('sees the return of a folder that went while it was about to be watched', async () => {
    const path = await useFolder()
    mkdirSync(path('stories'))
    justBeforeWatching(path('stories'), () => rmSync(path('stories'), { recursive: true }))
    const watched = watching(path('stories/story.yaml'))
    mkdirSync(path('stories'))
    await anyChange(watched).toBeGreaterThan(0)
  })

  it('sees what is in a folder that was made anew while it was about to be watched', async () => {
    const path = await useFolder()
    mkdirSync(path('stories'))
    justBeforeWatching(path('stories'), () => {
      renameSync(path('stories'), path('before'))
      mkdirSync(path('stories'))
    })
    const watched = watching(path('stories/story.yaml'))
    writeFileSync(path('stories/story.yaml'), 'x')
    await ownChange(watched).toContain(true)
  })

  it('fails where a folder is there and cannot be watched', async () => {
    const path = await useFolder()
    justBeforeWatching(path(), () => {
      throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' })
    })
    expect(() => watching(path('story.yaml'))).toThrow('no more watches')
  })

  it('says whether a file it knew is to be looked for in another place than before', async () => {
    const path = await useFolder()
    const watched = watching(path('stories/story.yaml'))
    expect(watched.update()).toBe(false)
    mkdirSync(path('stories'))
    expect(watched.update()).toBe(true)
    expect(watched.update()).toBe(false)
    renameSync(path('stories'), path('before'))
    mkdirSync(path('stories'))
    expect(watched.update()).toBe(true)
    rmSync(path('stories'), { recursive: true })
    expect(watched.update()).toBe(true)
    mkdirSync(path('more'))
    const urls = ['stories/story.yaml', 'more/a.eml'].map((file) => pathToFileURL(path(file)))
    expect(watched.watch.update(urls)).toBe(false)
  })
})
