import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from './cli/built-program.js'
import { createProject, type ExampleProject } from './examples/project.js'
import { root } from './support/documents.js'

let project: ExampleProject

beforeAll(async () => {
  project = await createProject()
}, 120_000)

afterAll(() => project.remove())

describe('examples/unit-tests', () => {
  it('passes with Vitest', async () => {
    expect(await project.runScript('test:vitest')).toMatch(/Tests +15 passed \(15\)/)
  }, 120_000)

  it('is found by Vitest in its own folder, where another configuration lies above', () => {
    const said = execFileSync('npx', ['vitest', 'list', '--dir', 'vitest', '--filesOnly'], {
      cwd: `${root}/examples/unit-tests`,
      encoding: 'utf8',
    })
    expect(said.trim()).toBe('vitest/agent.test.mjs')
  }, 60_000)

  it('passes with Jest', async () => {
    expect(await project.runScript('test:jest')).toMatch(/Tests: +5 passed, 5 total/)
  }, 120_000)

  it('passes with node:test', async () => {
    expect(await project.runScript('test:node')).toMatch(/tests 5\n(?:.*\n)*?.*pass 5\n/)
  }, 120_000)
})

describe.concurrent('examples/jest', () => {
  it('passes as CommonJS, with babel-jest and with ts-jest, without flags of Node', async () => {
    const copy = await createProject('jest')
    await copy.install()
    await copy.linkPackage()
    expect(await copy.run('npx jest')).toMatch(/Tests: +9 passed, 9 total/)
    await copy.remove()
  }, 300_000)
})

describe.concurrent('examples/frameworks', () => {
  it('reach one verdict in the frameworks, without a model', async () => {
    const copy = await createProject('frameworks')
    onTestFinished(() => copy.remove())
    // The SDK of one starts a program of its own, which is large.
    await Promise.all(['.', 'claude-agent'].map((folder) => copy.install(folder)))
    await copy.linkPackage()
    const play = async (agent: string): Promise<void> => {
      const said = await copy.run(
        `node ${built.main} replay refund-conversation --grace 30s -- node ${agent}.mjs`,
      )
      expect(said, agent).toContain('✓ refund-conversation passed: all 5 expectations hold')
    }
    const halves = [
      ['ai-sdk', 'langchain', 'mastra'],
      ['openai-agents', 'claude-agent/claude-agent'],
    ]
    await Promise.all(
      halves.map(async (agents) => {
        for (const agent of agents) await play(agent)
      }),
    )
  }, 600_000)
})
