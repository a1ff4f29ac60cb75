import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../server/control-client.js'
import { openDesk, describe as setDescription } from '../state/open-desk.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { programInProcess } from './in-process.js'
import { output, refusal } from './outcomes.js'

const start = programInProcess()
const folder = sharedFolder()
let fork = { id: '', api_key: '' }

beforeAll(async () => {
  const server = await openDesk(folder)
  await setDescription(server, 'written by the first')
  fork = (await ask(server, 'POST', '/worlds', { body: {} })).body
  const subscription = { url: 'http://127.0.0.1:9/hook', events: ['message.received'], auth_token: 's3cret' }
  await ask(server, 'POST', '/webhooks', { body: subscription, headers: { 'x-sim-world': fork.id } })
  await server.close()
})

describe('serve', () => {
  it('refuses other options than those of the state, naming their flags', async () => {
    const directory = join(folder, 'common')
    await (await openDesk(directory, { scenario: 'empty', extend: ['common'] })).close()
    const serving = ['serve', 'empty', '--port', '0', '--state-dir', directory]
    expect(await refusal(start, ...serving, '--clock', 'frozen')).toMatch(
      /^error: .* Add --extend common, name/,
    )
    const extended = [...serving, '--extend', 'common']
    expect(await refusal(start, ...extended)).toMatch(
      /with --clock frozen, but this start has --clock real\. /,
    )
    const frozen = [...extended, '--clock', 'frozen']
    const assumptions = [...frozen, '--assume', 'worst-case']
    expect(await refusal(start, ...assumptions)).toMatch(
      /\(default\), but .* \(--assume: worst-case\); \d+ more/,
    )
  })
})

describe('state', () => {
  it('list shows every world with the length of its log', async () => {
    const listed = JSON.parse(await output(start, 'state', '--state-dir', folder, '--json'))
    expect(listed.worlds).toMatchObject([
      { id: 'world_1', scenario: 'desk', seed: 4, problem: null },
      { id: fork.id, problem: null },
    ])
    const rows = (await output(start, 'state', 'list', '--state-dir', folder)).trimEnd().split('\n')
    expect(rows.map((row) => /^(\S+) .* [1-9]\d* entries/.exec(row)?.[1])).toEqual(['world_1', fork.id])
  })

  it('show masks secrets that export includes', async () => {
    const at = ['--state-dir', folder]
    const shown = await output(start, 'state', 'show', fork.id, ...at)
    const file = join(folder, 'world.jsonl')
    expect(await output(start, 'state', 'export', fork.id, ...at, '--out', file)).toBe('')
    const exported = await output(start, 'state', 'export', fork.id, ...at)
    expect(readFileSync(file, 'utf8')).toBe(exported)
    expect([shown.includes('s3cret'), exported.includes('s3cret')]).toEqual([false, true])
    expect(shown.split('\n').length).toBe(exported.split('\n').length)
    const refused = (out: string) => refusal(start, 'state', 'export', fork.id, ...at, '--out', out)
    expect(await refused(folder)).toMatch(/^error: --out \S+ is a folder; name a file in it/)
    expect(await refused(`${file}/in`)).toMatch(/^error: --out \S+: a file has this name/)
    expect(await refused('')).toMatch(/^error: --out is empty; name a file/)
    expect(await refusal(start, 'state', 'show', 'world_9', ...at)).toMatch(/no log of a world "world_9"/)
  })

  it('drop deletes a world with its log', async () => {
    const at = ['--state-dir', folder]
    expect(await output(start, 'state', 'drop', fork.id, ...at)).toBe('')
    expect(JSON.parse(await output(start, 'state', ...at, '--json')).worlds).toMatchObject([
      { id: 'world_1' },
    ])
    expect(await refusal(start, 'state', 'drop', fork.id, ...at)).toMatch(/has no world/)
  })

  it('creates no state', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect(await refusal(start, 'state', '--state-dir', empty)).toMatch(/has no state/)
  })
})
