import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { Simulator } from '../simulator/simulator.js'
import { FileWatch } from './file-watch.js'
import { type ReloadListener, ScenarioWatch } from './watch.js'

interface Scene {
  readonly folder: string
  readonly file: string
  /** How reloads went: what was said of each. */
  readonly said: string[]
  /** Done in the midst of a reload, after the file was looked for. */
  during(act: () => void | Promise<void>): void
  /** From now on the scenario is whole, though its file is missing. */
  repair(): void
  /** Done by whoever is told that a reload failed. */
  onFailed(act: () => void): void
}

/** A scenario in a folder of its own, that is watched. */
async function watchScene(): Promise<Scene> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'watch-')))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const folder = join(top, 'stories')
  const file = join(folder, 'story.yaml')
  mkdirSync(folder)
  writeFileSync(file, 'One')
  const said: string[] = []
  const once = { during: (): void | Promise<void> => undefined, onFailed: (): void => undefined }
  const take = <Name extends keyof typeof once>(name: Name): (typeof once)[Name] => {
    const act = once[name]
    once[name] = () => undefined
    return act
  }
  let isRepaired = false
  const reload = async (): Promise<void> => {
    const isThere = existsSync(file) || isRepaired
    await take('during')()
    if (!isThere) throw new Error('There is no such file.')
  }
  const listener: ReloadListener = {
    reloaded: () => void said.push('reloaded'),
    failed() {
      said.push('failed')
      take('onFailed')()
    },
    unwatched: (error) => void said.push(`unwatched: ${error}`),
  }
  const files = [pathToFileURL(file)]
  const watch = new ScenarioWatch({ files, reload } as Partial<Simulator> as Simulator, listener)
  onTestFinished(() => watch.close())
  return {
    folder,
    file,
    said,
    repair() {
      isRepaired = true
    },
    during: (act) => void Object.assign(once, { during: act }),
    onFailed: (act) => void Object.assign(once, { onFailed: act }),
  }
}

const isSaid = ({ said }: Scene) => expect.poll(() => said, { timeout: 20_000 })

/** Has the folder come back, with the file in it. */
function comeBack({ folder, file }: Scene): void {
  mkdirSync(folder)
  writeFileSync(file, 'Two')
}

it('takes a file and its folder that are back as soon as it says that they are gone', async () => {
  const scene = await watchScene()
  scene.onFailed(() => comeBack(scene))
  rmSync(scene.folder, { recursive: true })
  await isSaid(scene).toEqual(['failed', 'reloaded'])
})

it('takes a file and its folder that are back while it is still about to say that they are gone', async () => {
  const scene = await watchScene()
  scene.during(() => comeBack(scene))
  rmSync(scene.folder, { recursive: true })
  await isSaid(scene).toEqual(['failed', 'reloaded'])
})

it('tries again where something else has changed while the file was read in vain', async () => {
  const scene = await watchScene()
  let heard = 0
  const probe = new FileWatch(() => void heard++)
  onTestFinished(() => probe.close())
  probe.update([pathToFileURL(scene.file)])
  scene.during(async () => {
    const before = heard
    writeFileSync(join(scene.folder, 'beside.txt'), '')
    await expect.poll(() => heard, { timeout: 20_000 }).toBeGreaterThan(before)
    scene.repair()
  })
  rmSync(scene.file)
  await isSaid(scene).toEqual(['failed', 'reloaded'])
})
