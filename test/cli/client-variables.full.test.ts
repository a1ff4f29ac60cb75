import { describe, expect, it } from 'vitest'
import { programInProcess } from './in-process.js'

const script = `
  const { MAIL_URL, MAIL_KEY, CONTROL } = process.env
  const headers = { authorization: 'Bearer ' + MAIL_KEY }
  const { total } = await (await fetch(MAIL_URL + '/threads?agent=support&limit=1', { headers })).json()
  const { scenario } = await (await fetch(CONTROL + '/health')).json()
  process.exitCode = total > 1 && scenario === 'refund-request' ? 0 : 3
`
const variables = ['MAIL_URL={base_url}/api/v1/mail', 'MAIL_KEY={api_key}', 'CONTROL={control_url}']
const flags = variables.flatMap((variable) => ['--env', variable])
const client = ['--', process.execPath, '--input-type=module', '-e', script]

describe('--env', () => {
  it('sets variables of the client in replay, explore and fuzz', async () => {
    const run = programInProcess()
    const replayed = await run('replay', 'refund-request', '--json', ...flags, ...client).outcome
    expect(JSON.parse(replayed.stdout).command).toMatchObject({ status: 0, passed: true })
    const gaps = ['--gaps', 'threads.total', '--reporter', 'json']
    const explored = await run('explore', 'refund-request', ...gaps, ...flags, ...client).outcome
    // It requests one thread and mistakes the size of that page for the total.
    expect(JSON.parse(explored.stdout).breaks).toMatchObject([{ changes: { 'threads.total': 'page-size' } }])
    const shown = await run('explore', 'refund-request', ...gaps.slice(0, 2), ...flags, ...client).outcome
    expect(shown.stdout).toContain("--env 'MAIL_URL={base_url}/api/v1/mail'")
  })
})
