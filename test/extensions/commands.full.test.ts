import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CheckReport } from '../../src/runs/check/check-report.js'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'

const operations = `import { defineExtension } from 'agent-mailbox-sim'
import { greeting } from './greeting.js'

export default defineExtension(({ operation, gap }) => {
  const tone = gap({
    id: 'hello.tone',
    question: 'How is one greeted?',
    assumptions: { warm: 'Warmly.', cold: 'Coldly.' },
    concerns: ['hello.get'],
  })
  return [
    operation({
      id: 'hello.get',
      method: 'GET',
      path: '/api/v1/hello/{name}',
      perform({ params, settle }) {
        return { text: settle(tone, { warm: () => greeting, cold: () => 'So' }) + ' ' + params.name }
      },
    }),
  ]
})
`
const scenario = `scenario: hello
identities: [{ handle: support }]
extend: [./operations.ts, common]
expect:
  - { request: hello.get, times: 1, where: { path: /api/v1/hello/ann } }
  - { request: identities.create, times: 1 }
`
const client = `
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
await fetch(base + '/api/v1/identities', { method: 'POST', headers, body: '{"agent_handle":"sales"}' })
const { text } = await (await fetch(base + '/api/v1/hello/ann', { headers })).json()
const { ok } = await fetch(base + '/api/v1/identities/support', { headers })
if (text !== 'Hello ann' || !ok) process.exit(1)
`
const start = programInProcess()

async function files(): Promise<{ readonly desk: string; readonly command: string[] }> {
  const folder = await folderOf({
    'operations.ts': operations,
    'greeting.ts': "export const greeting: string = 'Hello'\n",
    'hello.yaml': scenario,
    'client.mjs': client,
  })
  return { desk: join(folder, 'hello.yaml'), command: ['--', process.execPath, join(folder, 'client.mjs')] }
}

describe('extensions that a scenario names', () => {
  it('answer in replay, where it expects requests of their operations', async () => {
    const { desk, command } = await files()
    // A flag may name them once more.
    const flags = ['--extend', 'common', '--extend', join(desk, '../operations.ts'), '--reporter', 'json']
    const { status, stdout, stderr } = await start('replay', desk, ...flags, ...command).outcome
    expect(stderr).not.toMatch(/^ +at /m)
    const { verdicts: judged } = JSON.parse(stdout)
    expect([status, judged.map(({ passed }: { passed: boolean }) => passed)]).toEqual([0, [true, true]])
  })

  it('are checked under the assumptions of their gaps', async () => {
    const { desk, command } = await files()
    const { status, ids } = await checked(desk, '--only', 'assumptions/hello.tone/*', ...command)
    expect([status, ids]).toEqual([1, ['assumptions/hello.tone/cold']])
  })
})

it('extensions that a flag names answer in check, and in the lines of its findings', async () => {
  const { desk, command } = await files()
  const plain = join(desk, '../plain.yaml')
  await writeFile(plain, 'scenario: plain\nidentities: [{ handle: support }]\n')
  const extend = ['--extend', join(desk, '../operations.ts'), '--extend', 'common']
  const { ids, findings } = await checked(plain, ...extend, '--only', 'faults/hello.get/*', ...command)
  expect(ids[0]).toBe('faults/hello.get/1/503')
  expect(findings[0]?.again).toContain(` ${extend.join(' ')} --disturb `)
})

async function checked(...words: readonly string[]) {
  const { status, stdout, stderr } = await start(
    'check',
    ...words.slice(0, 1),
    '--reporter',
    'json',
    ...words.slice(1),
  ).outcome
  expect(stdout, stderr).toMatch(/^\{/)
  const { findings } = JSON.parse(stdout) as CheckReport
  return { status, findings, ids: findings.map(({ id }) => id) }
}
