import { chmod } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { maxScenarioBytes } from './files.js'
import { ScenarioError } from './problem.js'
import { readScenario, readWritten, shippedScenarios } from './read-scenario.js'

/** Returns code and message of the error for a path, without its folder. */
const refused = async (path: string, folder = '/nowhere'): Promise<string> => {
  const error: unknown = await readScenario(path).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ScenarioError)
  const { code, message } = error as ScenarioError
  return `${code} ${message.replaceAll(`${folder}/`, '')}`
}

/** Runs a function as an unprivileged user if the tests run as root. */
const asUnprivilegedUser = async <T>(work: () => Promise<T>): Promise<T> => {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

it('finds shipped scenarios by name', async () => {
  for (const name of await shippedScenarios()) {
    const { value, url } = await readWritten(name)
    expect(value).toMatchObject({ scenario: name })
    expect(url?.pathname).toMatch(`/scenarios/${name}.yaml`)
  }
})

it.each(['a.yaml', 'a.yml', 'a.json', 'A.YAML', 'two words #1?.yaml', 'ä.yaml'])('reads %s', async (name) => {
  const folder = await folderOf({ [name]: '{ "scenario": "inbox" }' })
  const read = await readScenario(`${folder}/${name}`)
  expect(read.scenario).toBe('inbox')
})

it('reports a missing file with the names of shipped scenarios', async () => {
  const folder = await folderOf({ 'inbox.yaml': 'scenario: inbox' })
  const known = (await shippedScenarios()).join(', ')
  const message = `There is no such file. Scenarios that ship with the simulator: ${known}.`
  expect(await refused(`${folder}/b.yaml`, folder)).toBe(`not-found b.yaml: ${message}`)
  expect(await refused(`${folder}/b.txt`, folder)).toBe(`not-found b.txt: ${message}`)
  expect(await refused('suport-desk')).toBe(
    `not-found suport-desk: There is no scenario of that name; did you mean "support-desk"? Those that ship with the simulator are ${known}. Give a file by its path, e.g. ./suport-desk.yaml.`,
  )
  expect(await refused(`${folder}/inbox.yaml/b.yaml`, folder)).toBe(`not-found inbox.yaml/b.yaml: ${message}`)
})

it.each(['a.txt', 'a', 'a.yaml.bak', 'a.cjs', 'a.eml'])('refuses %s by its extension', async (name) => {
  const folder = await folderOf({ [name]: 'scenario: inbox' })
  expect(await refused(`${folder}/${name}`, folder)).toBe(
    `unreadable ${name}: a scenario is a .yaml, .json or .ts file`,
  )
})

it('refuses a path that is not a file', async () => {
  const folder = await folderOf({ 'stories.yaml/a.yaml': 'scenario: inbox' })
  expect(await refused(`${folder}/stories.yaml`, folder)).toBe(
    'unreadable stories.yaml: it is a folder, not a file',
  )
  expect(await refused('/dev/null')).toBe('unreadable /dev/null: it is not a file')
})

it('refuses a file above the limit', async () => {
  const small = `scenario: inbox\n#${'-'.repeat(maxScenarioBytes - 17)}`
  const folder = await folderOf({ 'small.yaml': small, 'large.yaml': `${small}-` })
  expect(await readScenario(`${folder}/small.yaml`)).toMatchObject({ scenario: 'inbox' })
  expect(await refused(`${folder}/large.yaml`, folder)).toBe(
    'unreadable large.yaml: it has 10.1 MiB; up to 10 MiB are read',
  )
})

it('refuses an unreadable file', async () => {
  const folder = await folderOf({ 'a.yaml': 'scenario: inbox' })
  await chmod(folder, 0o755)
  await chmod(`${folder}/a.yaml`, 0)
  expect(await asUnprivilegedUser(() => refused(`${folder}/a.yaml`, folder))).toBe(
    'unreadable a.yaml: it cannot be read: permission denied',
  )
})
