import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ExploreReport, exploreReport } from '../src/runs/explore/report.js'
import type { ReplayReport } from '../src/runs/replay/outcome.js'
import { formatReport } from '../src/runs/reports/format-report.js'
import { type AgentsProject, createAgentsProject } from './examples/agents-project.js'
import { languagesHere, projectFile, pythonsOnPath } from './examples/languages.js'
import { expectShown } from './support/shown-output.js'

const languages = languagesHere()
let project: AgentsProject

// An agent is started some thirty times, as fast as a busy machine lets it.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

beforeAll(async () => {
  project = await createAgentsProject()
})

afterAll(() => project.remove())

/** The commands that the README shows, without `npx agent-mailbox-sim`. */
async function shownCommands(): Promise<string[]> {
  const readme = await project.read('README.md')
  return commandsIn(readme)
}

function commandsIn(text: string): string[] {
  const commands = text.matchAll(/npx agent-mailbox-sim ((?:replay|explore) .+)$/gm)
  return [...commands].map(([, command]) => command as string)
}

/** Runs the command of the README that has these words in it, for a report as JSON. */
async function reportOf<Report>(
  words: readonly string[],
  signal: AbortSignal,
  flags: readonly string[] = [],
): Promise<{ status: number | null; report: Report }> {
  const commands = (await shownCommands()).filter((command) => words.every((word) => command.includes(word)))
  expect(commands).toHaveLength(1)
  const [name = '', ...others] = commands[0]?.split(' ') ?? []
  const { status, stdout, stderr } = await project.run(
    [name, '--reporter', 'json', ...flags, ...others],
    signal,
  )
  // Without a report, what went wrong is on the other stream.
  expect(stdout || stderr).toMatch(/^\{/)
  return { status, report: JSON.parse(stdout) }
}

// A story takes its time and little else, so several of them are played beside each other.
describe.concurrent.each(languages)('the agents in $name in a replay', ({ folder, ending }) => {
  it('pass the story if they are careful', async ({ signal }) => {
    const words = ['replay', `${folder}/careful.${ending}`]
    const { status, report } = await reportOf<ReplayReport>(words, signal)
    expect(report).toMatchObject({ passed: true, command: { ended: 'story-over', problem: null } })
    expect(report.verdicts.map(({ passed }) => passed)).toEqual(Array(6).fill(true))
    expect(status).toBe(0)
  })

  it('end at the first 503 if they are naive', async ({ signal }) => {
    const words = ['replay', `${folder}/naive.${ending}`]
    const { status, report } = await reportOf<ReplayReport>(words, signal)
    expect(report).toMatchObject({ passed: false, command: { ended: 'by-itself', status: 1 } })
    expect(report.command?.output).toMatch(/TypeError: .*undefined|HTTP Error 503/)
    expect(report.verdicts.flatMap(({ passed, describe }) => (passed ? [] : [describe]))).toEqual([
      "At the end, the agent's description lists the waiting refunds.",
      'The agent continues after the list of threads was unavailable.',
      'It updates its description when the refunds change.',
    ])
    expect(status).toBe(1)
  })
})

describe.concurrent.each(languages)('the agents in $name in a conversation', ({ folder, ending }) => {
  it.each([
    ['asks', 5],
    ['hasty', 0],
  ])('are answered as they write: %s', async (agent, held) => {
    const words = ['replay', `${folder}/${agent}.${ending}`]
    const { status, report } = await reportOf<ReplayReport>(words, AbortSignal.timeout(200_000))
    expect(report.verdicts.filter(({ passed }) => passed)).toHaveLength(held)
    expect(status).toBe(agent === 'asks' ? 0 : 1)
  })
})

it('the README of the project shows what a replay reports', async ({ signal }) => {
  const words = 'replay refunds.yaml -- python3 python/naive.py'
  expect(await readFile(projectFile('README.md'), 'utf8')).toContain(shownIn(words))
  const { stdout } = await project.run(words.split(' '), signal)
  expectShown('README.md', '✗ refunds failed', stdout)
})

/** A command of the agents as the project's README writes it, for a clone. */
function shownIn(words: string): string {
  return `npm start -- ${words.replace('refunds.yaml', 'examples/agents/refunds.yaml').replace('python/', 'examples/agents/python/')}\n`
}

it('the careful agent passes a scenario that `scenarios new` writes', async ({ signal }) => {
  await project.run(['scenarios', 'new', 'first.yaml'], signal)
  const { folder, ending } = languages.at(-1) as (typeof languages)[number]
  const shown = (await shownCommands()).find((command) => command.includes(`${folder}/careful.${ending}`))
  const agent = shown?.split(' -- ')[1]?.split(' ') ?? []
  const { status, stdout } = await project.run(
    ['replay', 'first.yaml', '--grace', '1m', '--', ...agent],
    signal,
  )
  expect(stdout).toMatch(/^✓ first passed: all 2 expectations hold\n/)
  expect(status).toBe(0)
})

describe.concurrent('docs/recipes/ci.md', () => {
  it('has the same commands for GitHub Actions and a shell', async () => {
    const inShell = commandsIn(await project.read('ci.sh')).map((command) =>
      command.replace(' || status=1', ''),
    )
    expect(commandsIn(await project.read('ci.yml'))).toEqual(inShell)
    expect(inShell).toHaveLength(2)
  })

  it('has commands that pass and write their results', async ({ signal }) => {
    const [nightly = ''] = commandsIn(await project.read('nightly.yml'))
    const fewer = nightly.replace('--trials 10', '--trials 2')
    expect(fewer).not.toBe(nightly)
    for (const command of [...commandsIn(await project.read('ci.yml')), fewer]) {
      const { status, stderr } = await project.run(command.split(' '), signal)
      expect(status, stderr).toBe(0)
    }
    for (const name of ['report.json', 'report.xml', 'reliances.jsonl', 'explore.json']) {
      expect(await project.read(`results/${name}`)).not.toBe('')
    }
  })
})

describe.each(languages)('the agents in $name in an exploration', ({ folder, ending }) => {
  it('rely on no gap if they are careful', async ({ signal }) => {
    const words = ['explore', `${folder}/check.${ending}`, 'careful']
    const { status, report } = await reportOf<ExploreReport>(words, signal, gapsTried(folder))
    expect(report).toMatchObject({ passed: true, steady: true, breaks: [] })
    const tried = new Set(report.tries.flatMap(({ changes }) => Object.keys(changes)))
    expect([...tried]).toEqual(expect.arrayContaining(gapsOfNaive))
    expect(status).toBe(0)
  })

  it('rely on five gaps if they are naive', async ({ signal }) => {
    const words = ['explore', `${folder}/check.${ending}`, 'naive']
    const { status, report } = await reportOf<ExploreReport>(words, signal, gapsTried(folder))
    expect(report).toMatchObject({ passed: false, steady: true, first: { passed: true } })
    const breaking = report.breaks.flatMap(({ changes }) =>
      Object.entries(changes).map((one) => one.join('=')),
    )
    expect(breaking.sort()).toEqual(breaksOfNaive)
    expect(status).toBe(1)
    if (folder !== 'python') return
    const command = 'python3 examples/agents/python/check.py naive.py'
    const breaks = report.breaks.map((found) => {
      const assumption = Object.entries(found.changes).join().replace(',', '=')
      const again = `agent-mailbox-sim explore examples/agents/refunds.yaml --assume ${assumption} -- ${command}`
      return { ...found, again }
    })
    const told = formatReport('human', exploreReport({ ...report, breaks }))
    for (const page of ['README.md', 'docs/explore.md']) {
      expect(await readFile(projectFile(page), 'utf8')).toContain(`-- ${command}\n`)
      expectShown(page, page === 'README.md' ? '✗ threads.total' : '✗ python3', told)
    }
  })
})

const breaksOfNaive = [
  'messages.attachment-entry=download-url',
  'messages.attachment-entry=url-only',
  'messages.empty-body=absent',
  'messages.empty-body=null',
  'messages.order=chronological-in-thread',
  'messages.order=created-asc',
  'messages.order=unspecified',
  'threads.order=created-asc',
  'threads.order=created-desc',
  'threads.order=last-message-asc',
  'threads.order=unspecified',
  'threads.total=page-size',
]

/** All gaps are tried with one language only, since each try starts an agent. */
const gapsTried = (folder: string) => (folder === 'python' ? [] : ['--gaps', gapsOfNaive.join()])

const gapsOfNaive = [...new Set(breaksOfNaive.map((change) => change.split('=')[0]))]

describe('examples/agents', () => {
  it('names the gaps of the naive agents in its README', async () => {
    const readme = await project.read('README.md')
    const told = [...readme.matchAll(/^\| `(.+?)` \|/gm)].map(([, gap]) => gap)
    expect(told.sort()).toEqual(gapsOfNaive)
  })

  it('has the commands of its README as scripts', async () => {
    const { scripts } = JSON.parse(await project.read('package.json'))
    const commands = (await shownCommands()).map((command) => `agent-mailbox-sim ${command}`)
    expect(commands).toEqual(expect.arrayContaining(Object.values(scripts)))
  })
})

if (languages.length === 1) {
  it('has no Python 3.9 or later to run the other agents in', () => {
    expect(pythonsOnPath()).toEqual([])
  })
}
