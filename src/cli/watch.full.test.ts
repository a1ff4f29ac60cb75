import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../../test/support/temporary-folder.js'
import type { Simulator } from '../doors/simulator/simulator.js'
import { ScenarioWatch } from './watch.js'

/** A watched scenario in a temporary folder, which can be loaded while its file exists. */
async function watchFile() {
  const top = await folderOf()
  const folder = join(top, 'stories')
  const file = join(folder, 'story.yaml')
  mkdirSync(folder)
  writeFileSync(file, 'One')
  const reports: string[] = []
  const act = {
    during: (): void => undefined,
    onFailed: (): void => undefined,
    isWhole: false,
    isBroken: false,
    reads: 0,
  }
  const reload = async (): Promise<void> => {
    const exists = existsSync(file) || act.isWhole
    const during = act.during
    act.during = () => undefined
    during()
    act.reads++
    if (act.isBroken) throw new Error('It is broken.')
    if (!exists) throw new Error('There is no such file.')
  }
  const simulator = { files: [pathToFileURL(file)], reload } as Partial<Simulator> as Simulator
  const watch = new ScenarioWatch(simulator, {
    reloaded: () => void reports.push('reloaded'),
    failed() {
      reports.push('failed')
      act.onFailed()
    },
  })
  onTestFinished(() => watch.close())
  const recreate = (): void => {
    mkdirSync(folder)
    writeFileSync(file, 'Two')
  }
  const isReported = (...expected: string[]) =>
    expect.poll(() => reports, { timeout: 20_000 }).toEqual(expected)
  return { folder, file, act, recreate, isReported }
}

it('reloads a file that is written or replaced', async () => {
  const { file, isReported } = await watchFile()
  writeFileSync(file, 'Two')
  await isReported('reloaded')
  writeFileSync(`${file}~`, 'Six')
  renameSync(`${file}~`, file)
  await isReported('reloaded', 'reloaded')
})

it('reloads a file whose folder was removed and recreated', async () => {
  const { folder, act, recreate, isReported } = await watchFile()
  act.onFailed = recreate
  rmSync(folder, { recursive: true })
  await isReported('failed', 'reloaded')
})

it('reloads a file that is recreated during a reload', async () => {
  const { folder, act, recreate, isReported } = await watchFile()
  act.during = recreate
  rmSync(folder, { recursive: true })
  await isReported('failed', 'reloaded')
})

it('retries after a failure when another file in the folder changes', async () => {
  const { folder, file, act, isReported } = await watchFile()
  act.during = () => {
    writeFileSync(join(folder, 'beside.txt'), '')
    act.isWhole = true
  }
  rmSync(file)
  await isReported('failed', 'reloaded')
})

it('reports the same failure again only if the file was saved', async () => {
  const { folder, file, act, isReported } = await watchFile()
  act.isBroken = true
  writeFileSync(file, 'Two')
  await isReported('failed')
  writeFileSync(join(folder, 'beside.txt'), '')
  await expect.poll(() => act.reads, { timeout: 20_000 }).toBe(2)
  await isReported('failed')
  writeFileSync(file, 'Three')
  await isReported('failed', 'failed')
})
