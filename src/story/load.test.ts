import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { folderOf, writeInto } from '../../test/support/temporary-folder.js'
import { MailboxStore } from '../service/model/mailbox-store.js'
import type { ScenarioInput } from './format/scenario.js'
import { loadAssumptions, loadScenario } from './load.js'
import { ScenarioError } from './read/problem.js'

const lines = (...texts: string[]): string => texts.join('\n')

/** Returns the error for `inbox.yaml` in a folder, without the folder. */
const refused = async (folder: string): Promise<string> => {
  const error: unknown = await loadScenario(`${folder}/inbox.yaml`).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ScenarioError)
  return (error as ScenarioError).message.replaceAll(`${folder}/`, '')
}

/** Returns the files that `onFile` gets, even if loading fails. */
const filesOf = async (folder: string, scenario: string): Promise<string[]> => {
  const start = pathToFileURL(`${folder}/`).href
  const files: string[] = []
  const assumptions = [{ from: 'test', input: `${folder}/wanted.yaml` }]
  const onFile = ({ href }: URL) => files.push(href.replace(start, ''))
  await loadScenario(`${folder}/${scenario}`, { assumptions, onFile }).catch((error) => {
    expect(error).toBeInstanceOf(ScenarioError)
  })
  return files
}

const attaching = (...files: string[]): string =>
  lines(
    'scenario: inbox',
    'assume: ./own.yaml',
    'identities:',
    '  - handle: eva',
    '    threads:',
    ...files.map((file) => `      - messages: [{ text: Hello, attachments: [${file}] }]`),
  )

it('reports all wrong assumptions and other problems at their places', async () => {
  const folder = await folderOf({
    'inbox.yaml': lines(
      'scenario: inbox',
      'assume:',
      '  threads.order: created-desc',
      '  threads.totl: page-size',
      '  threads.total: page-sise',
      'identities:',
      '  - handle: eva',
      '    threads:',
      '      - { messages: [{ eml: ./gone.eml }] }',
    ),
  })
  const problems = (await refused(folder)).split('\n')
  expect(problems.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
    'inbox.yaml:4:3: assume.threads.totl',
    'inbox.yaml:5:18: assume.threads.total',
    'inbox.yaml:9:29: identities[0].threads[0].messages[0].eml',
  ])
  expect(problems[0]).toContain('There is no gap "threads.totl"; did you mean "threads.total"?')
  expect(problems[1]).toContain(
    '"page-sise" is not an assumption of threads.total; did you mean "page-size"?',
  )
  await expect(loadAssumptions(`${folder}/inbox.yaml`)).rejects.toThrow(
    /inbox\.yaml:4:3: .*\n.*inbox\.yaml:5:18: [^\n]*$/,
  )
})

it('reports a wrong file of assumptions at its key', async () => {
  const folder = await folderOf({ 'inbox.yaml': 'scenario: inbox\nassume: ./own', 'own/x.yaml': '' })
  expect(await refused(folder)).toBe(
    'inbox.yaml:2:9: assume: The file of assumptions "./own" is a folder, not a file; a profile is default, worst-case or seed:<n>.',
  )
})

it('calls onFile once for each file', async () => {
  const folder = await folderOf({
    'inbox.yaml': attaching('./a.pdf', './a.pdf', './mail/b.pdf', 'logo.png'),
    'own.yaml': lines('extends: ./base.yaml', 'assume: { threads.total: page-size }'),
    'base.yaml': 'assume: {}',
    'wanted.yaml': 'assume: {}',
    'a.pdf': 'a',
    'mail/b.pdf': 'b',
  })
  const files = (await filesOf(folder, 'inbox.yaml')).join(' ')
  expect(files).toBe('inbox.yaml own.yaml base.yaml wanted.yaml a.pdf mail/b.pdf')
})

it('calls onFile for missing and wrong files', async () => {
  const missing = await folderOf({
    'inbox.yaml': attaching('./a.pdf', './b.pdf'),
    'own.yaml': '{}',
    'wanted.yaml': '{}',
  })
  const looked = ['inbox.yaml', 'own.yaml', 'wanted.yaml', 'a.pdf', 'b.pdf']
  expect(await filesOf(missing, 'inbox.yaml')).toEqual(looked)
  expect(await filesOf(missing, 'nowhere.yaml')).toEqual(['nowhere.yaml'])
})

it('calls onFile for modules and data of a TypeScript scenario', async () => {
  const folder = await folderOf({
    'inbox.ts': lines(
      "import { name } from './names.js'",
      "export default async () => ({ scenario: name, ...(await import('./late.ts')).late })",
    ),
    'names.ts': "import names from './names.json'\nexport const name: string = names.name",
    'names.json': '{ "name": "inbox" }',
    'late.ts': 'export const late = {}',
    'wanted.yaml': '{}',
  })
  const files = (await filesOf(folder, 'inbox.ts')).join(' ')
  expect(files).toBe('inbox.ts names.ts names.json late.ts wanted.yaml')
  const broken = await folderOf({ 'inbox.ts': "import './a.ts'", 'a.ts': "import './b.ts'" })
  expect(await filesOf(broken, 'inbox.ts')).toEqual(['inbox.ts', 'a.ts'])
})

it('loads the same from TypeScript, YAML and JSON', async () => {
  const input = {
    scenario: 'inbox',
    seed: 5,
    identities: [
      {
        handle: 'eva',
        threads: [
          { subject: 'Order {{string.numeric(6)}}', messages: [{ text: 'Hi', attachments: ['./a.txt'] }] },
        ],
      },
    ],
  }
  const text = JSON.stringify(input, undefined, 2)
  const folder = await folderOf({
    'inbox.yaml': text,
    'inbox.json': text,
    'inbox.ts': `import { defineScenario } from 'agent-mailbox-sim'\nexport default defineScenario(${text})`,
    'inbox.mjs': `export default ({ seed }) => ({ ...${text}, describe: seed === 5 ? undefined : 'first' })`,
    'a.txt': 'attached',
  })
  const digests = []
  for (const name of ['inbox.yaml', 'inbox.json', 'inbox.ts', 'inbox.mjs']) {
    const { base, seed } = await loadScenario(`${folder}/${name}`)
    const store = new MailboxStore(base)
    const rows = (['thread', 'message', 'attachment'] as const).flatMap((model) => [...store.all(model)])
    digests.push(JSON.stringify({ seed, rows }))
  }
  expect(digests[0]).toContain('Order ')
  expect(new Set(digests).size).toBe(1)
})

it('keeps the mailboxes of a like story unless something that they are made of changes', async () => {
  const folder = await folderOf({ 'a.txt': 'one' })
  const desk = (subject: string, timeline: ScenarioInput['timeline'] = []): ScenarioInput => ({
    scenario: 'desk',
    identities: [
      {
        handle: 'eva',
        threads: [{ key: 'order', subject, messages: [{ text: 'Hi', attachments: [`${folder}/a.txt`] }] }],
      },
    ],
    timeline,
  })
  const news: ScenarioInput['timeline'] = [
    { after: '1s', receive: { thread: 'order', forms: ['gmail'], text: 'So?' } },
  ]
  const first = await loadScenario(desk('Order'))
  const alike = await loadScenario(desk('Order', news), { like: first })
  expect(alike.base).toBe(first.base)
  // As if it had been loaded alone: the story knows the mail that it follows.
  expect(alike.timeline).toEqual((await loadScenario(desk('Order', news))).timeline)
  expect((await loadScenario(desk('Orders'), { like: first })).base).not.toBe(first.base)
  expect((await loadScenario(desk('Order'), { like: first, seed: 2 })).base).not.toBe(first.base)
  await writeInto(folder, { 'a.txt': 'two' })
  const changed = await loadScenario(desk('Order'), { like: first })
  expect([...changed.base.database.all('attachment')].map(({ content }) => atob(content))).toEqual(['two'])
})
