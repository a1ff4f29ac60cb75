import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CheckReport } from '../src/runs/check/check-report.js'
import type { ReplayReport } from '../src/runs/replay/outcome.js'
import { type AgentsProject, createAgentsProject } from './examples/agents-project.js'
import { languagesHere, projectFile } from './examples/languages.js'
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
  const commands = text.matchAll(/npx agent-mailbox-sim ((?:replay|check) .+)$/gm)
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

it('the README of the project shows what a check finds', async ({ signal }) => {
  const words = 'check inbox.yaml --jobs 2 -- python3 python/naive.py --once'
  const shown = words
    .replace('inbox.yaml', 'examples/agents/inbox.yaml')
    .replace('python/', 'examples/agents/python/')
  expect(await readFile(projectFile('README.md'), 'utf8')).toContain(`npm start -- ${shown}\n`)
  const { stdout } = await project.run(words.split(' '), signal)
  expectShown('README.md', '✗ not so: "It reads the refund', stdout)
})

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
    for (const shown of [...commandsIn(await project.read('ci.yml')), fewer]) {
      const command = shown.replace(/^check /, 'check --plays 3 ')
      const { status, stderr } = await project.run(command.split(' '), signal)
      expect(status, stderr).toBe(0)
    }
    for (const name of ['report.json', 'report.xml', 'reliances.jsonl']) {
      expect(await project.read(`results/${name}`)).not.toBe('')
    }
  })
})

it('a careful agent is broken by nothing in a check', async ({ signal }) => {
  const agent = ['python3', 'python/careful.py', '--once']
  const command = ['check', 'inbox.yaml', '--jobs', '2', '--reporter', 'json', '--', ...agent]
  const { status, stdout, stderr } = await project.run(command, signal)
  expect(stdout, stderr).toMatch(/^\{/)
  const { findings, untried } = JSON.parse(stdout) as CheckReport
  expect({ status, findings, untried }).toEqual({ status: 0, findings: [], untried: [] })
})
