import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { writeFinding } from '../../src/runs/fuzz/finding-file.js'
import { FuzzedScenario } from '../../src/runs/fuzz/fuzzed-scenario.js'
import { loadScenario } from '../../src/story/load.js'
import { importing } from '../calibrate/importing.js'
import { instanceOf } from '../calibrate/instance.js'
import { programInProcess } from '../cli/in-process.js'
import { useFolder } from '../cli/temporary-folder.js'

const failure = {
  judgedBy: 'command',
  name: 'command',
  why: 'it failed',
  cause: 'command',
  written: undefined,
} as const
const found = { elements: [], failure, foundAfterRuns: 1, shrinkRuns: 0 }

/** Returns the rows that a story begins with. */
async function rowsOf(file: string): Promise<unknown[]> {
  const { base, timeline } = await loadScenario(file)
  const { database } = base
  return [[...database.all('message')], [...database.all('attachment')], timeline]
}

describe('the file of a finding', () => {
  it.each(['prompt-injection', 'refund-request', 'world-mail'])(
    'begins with the same rows as %s',
    async (name) => {
      const folder = await useFolder()
      const scenario = await FuzzedScenario.load(name)
      const how = { folder: folder('found'), name, seed: 1, advice: '', again: () => '' }
      const file = await writeFinding(scenario, found, how)
      expect(await rowsOf(file)).toEqual(await rowsOf(name))
    },
  )

  it('tells the story that failed, whatever assumptions the environment chooses', async () => {
    const folder = await useFolder()
    // Fails under one assumption beside another one of the environment.
    const client = `
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const get = async (path) => (await fetch(base + '/api/v1' + path, { headers: { authorization: 'Bearer ' + key } })).json()
const { threads, total } = await get('/mail/threads?limit=10')
const { messages } = await get('/mail/messages?limit=10&thread_id=' + threads[0].id)
process.exit(total === 10 && !messages[0].created_at.includes('.') ? 1 : 0)`
    await writeFile(folder('client.mjs'), client)
    const command = ['--', process.execPath, folder('client.mjs')]
    const flags = ['--vary', 'assumptions', '--runs', '16', '--jobs', '1', '--out', folder('found')]
    const seconds = 'format.timestamps=seconds,threads.total=all-threads'
    const run = programInProcess({ MAILBOX_SIM_ASSUME: seconds })
    const desk = { scenario: 'desk', identities: [{ handle: 'support', generate: { threads: 12 } }] }
    await writeFile(folder('desk.json'), JSON.stringify(desk))
    const fuzzed = await run('fuzz', folder('desk.json'), ...flags, '--reporter', 'json', ...command).outcome
    expect(fuzzed.status, fuzzed.stderr).toBe(1)
    const [finding] = JSON.parse(fuzzed.stdout).findings
    expect(finding.elements).toEqual([{ vary: 'assumptions', gap: 'threads.total', assumption: 'page-size' }])
    const line: string[] = finding.again.split(' ')
    for (const environment of [seconds, 'format.timestamps=milliseconds', '']) {
      const replay = run.with({ MAILBOX_SIM_ASSUME: environment })
      const { status, stdout } = await replay(...line.slice(line.indexOf('replay'))).outcome
      expect(status, stdout).toBe(1)
    }
  })

  it('is written and repeats for an imported scenario with an extension of its own', async () => {
    const folder = await useFolder()
    const generate = { threads: 3, messages: 2 }
    const identities = ['support', 'sales'].map((handle) => ({ handle, generate }))
    const live = await instanceOf({ scenario: 'desk', identities }, 'default', 'test-key')
    const { scenario } = await importing(live, { out: folder('desk') })
    const extension = `import { defineExtension } from 'agent-mailbox-sim'
export default defineExtension(({ operation }) => [
  operation({ id: 'hello.get', method: 'GET', path: '/api/v1/hello', perform: () => ({ text: 'Hello' }) }),
])`
    await writeFile(folder('desk/ops.ts'), extension)
    const story = 'timeline: [{ after: 1s, receive: { to: support, subject: News, text: Any news? } }]'
    await writeFile(scenario, `extend: ./ops.ts\n${story}\n`, { flag: 'a' })
    const client = `
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const get = async (path) => (await fetch(base + '/api/v1' + path, { headers: { authorization: 'Bearer ' + key } })).json()
const { text } = await get('/hello')
const [first] = (await get('/mail/threads?agent=support&limit=1')).threads
const [same] = (await get('/mail/threads?agent=support&limit=1')).threads
process.exit(text === 'Hello' && first.id === same.id ? 0 : 1)`
    await writeFile(folder('client.mjs'), client)
    const command = ['--', process.execPath, folder('client.mjs')]
    const run = programInProcess()
    const flags = ['--vary', 'mail', '--runs', '16', '--jobs', '1', '--out', folder('found')]
    const fuzzed = await run('fuzz', scenario, ...flags, '--reporter', 'json', ...command).outcome
    expect(fuzzed.status, fuzzed.stderr).toBe(1)
    const { findings, already_fails } = JSON.parse(fuzzed.stdout)
    const [finding] = findings
    expect({ already_fails, finding }).toMatchObject({
      already_fails: null,
      finding: { steady: true, elements: [{ vary: 'mail' }] },
    })
    const line: string[] = finding.again.split(' ')
    const { status, stdout, stderr } = await run(...line.slice(line.indexOf('replay'))).outcome
    expect(status, stderr).toBe(1)
    expect(stdout).toContain('exited with status 1')
  })
})
