import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInProcess } from '../cli/in-process.js'
import { exploredJson, outcomesOf } from '../explore/exploring.js'
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

  it('are explored with the gaps they leave', async () => {
    const { desk, command } = await files()
    const { status, report } = await exploredJson(start, desk, '--gaps', 'hello.tone', ...command)
    expect(status).toBe(1)
    expect(outcomesOf(report)).toContain('hello.tone=cold failed')
  })
})

it('a write to an extension is explored with the assumptions that let it through', async () => {
  const { desk } = await files()
  const stranger = join(desk, '../stranger.mjs')
  await writeFile(
    stranger,
    `const headers = { authorization: 'Bearer unlisted', 'content-type': 'application/json' }
    const body = '{"agent_handle":"sales"}'
    const url = process.env.MAILBOX_BASE_URL + '/api/v1/identities'
    process.exit((await fetch(url, { method: 'POST', headers, body })).ok ? 0 : 1)`,
  )
  const command = ['--', process.execPath, stranger]
  const { status, report } = await exploredJson(start, desk, '--gaps', 'relied', ...command)
  expect([status, outcomesOf(report)]).toEqual([1, expect.arrayContaining(['auth.keys=listed-keys failed'])])
})

it('extensions that a flag names answer in fuzz, and in the files of its findings', async () => {
  const { desk, command } = await files()
  const found = join(desk, '../found')
  const plain = join(desk, '../plain.yaml')
  await writeFile(plain, 'scenario: plain\nidentities: [{ handle: support }]\n')
  const extend = ['--extend', join(desk, '../operations.ts'), '--extend', 'common']
  const flags = ['--vary', 'faults', '--runs', '20', '--jobs', '1', '--out', found, '--reporter', 'json']
  const { stdout, stderr } = await start('fuzz', plain, ...extend, ...flags, ...command).outcome
  const { already_fails, findings } = JSON.parse(stdout)
  expect({ already_fails, stderr }).toMatchObject({ already_fails: null })
  expect(findings[0]).toMatchObject({
    steady: true,
    again: expect.stringContaining(` ${extend.join(' ')} -- `),
  })
})
