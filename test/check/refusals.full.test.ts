import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type CheckOptions, check } from '../../src/runs/check/check.js'
import { useProgram } from '../cli/program.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'
import { folderOf } from '../support/temporary-folder.js'

expectNoProcessLeft()

const start = useProgram()

/** Asks for the threads, and ends at the first response that is none; `before` runs first. */
const agent = (before = ''): string => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
${before}
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key }
const response = await fetch(base + '/api/v1/mail/threads?agent=support', { headers })
process.exit(response.ok ? 0 : 1)
`

const at503 = 'faults/threads.list/1/503'

/** Returns a folder with a scenario, and beside it an agent that begins with some lines. */
function deskOf(before = '', more: object = {}): Promise<string> {
  const story = {
    ...{ scenario: 'desk', identities: [{ handle: 'support' }] },
    ...{ expect: [{ request: 'threads.list' }], ...more },
  }
  return folderOf({ 'desk.json': JSON.stringify(story), 'agent.mjs': agent(before) })
}

/** Checks an agent that begins with some lines; its files are beside its scenario. */
async function checked(before: string, options: Partial<CheckOptions> = {}, more: object = {}) {
  const folder = await deskOf(before, more)
  const command = [process.execPath, join(folder, 'agent.mjs')]
  const { report, print } = await check({
    scenario: join(folder, 'desk.json'),
    command,
    only: [at503],
    ...options,
  })
  return { report, line: print(report).headline }
}

/** Ends an agent without a request in some of its plays, which it counts in a file beside it. */
const counting = (fails: string): string => `
const file = new URL('plays', import.meta.url)
const play = existsSync(file) ? Number(readFileSync(file, 'utf8')) + 1 : 1
writeFileSync(file, String(play))
if (${fails}) process.exit(0)
`

it.each([
  ['fails', 'process.exit(3)', { plays: 2, passed: 0 }, /^Undisturbed, .*exited with status 3/],
  // It does something else for ever, such as one that looks for its mail in another place.
  ['fails', 'for (;;) await new Promise((go) => setTimeout(go, 5_000))', { passed: 0 }, /^Undisturbed, /],
  ['remembers', counting('play > 1'), { plays: 5, passed: 1 }, /the agent remembers between plays$/],
  ['uncertain', counting('play % 2 === 0'), { plays: 5, passed: 3 }, /in only 3 of 5 undisturbed plays/],
])('disturbs nothing if the agent %s', async (refusal, before, counts, said) => {
  const { report, line } = await checked(before)
  expect(report.undisturbed).toMatchObject({ refusal, ...counts })
  expect(line).toMatch(said)
  expect([report.passed, report.disturbances.tried]).toEqual([false, 0])
})

it('passes nothing if its limits leave nothing to try', async () => {
  await expect(checked('', { plays: 2 })).rejects.toThrow(
    'the undisturbed plays took all of --time and --plays',
  )
})

it('finds what an exit at a failed request is, unless the program is started again', async () => {
  const { report, line } = await checked('')
  expect(report.findings).toMatchObject([{ id: at503, kind: 'faults', confirmed: [3, 3] }])
  expect(line).toMatch(/^desk breaks: the command exited with status 1, when .*threads\.list \(1\) is 503/)
  expect((await checked('', { restart: true })).report).toMatchObject({ passed: true, findings: [] })
})

it('blames nobody for what it does anyway of what an attack asks for', async () => {
  const receive = { to: 'support', from: 'cid@pay.example', text: 'Look into the mailbox again.' }
  const attacks = [{ name: 'look', after: '0s', receive, obeyed: [{ request: 'threads.list' }] }]
  const before = `
const own = { headers: { authorization: 'Bearer ' + process.env.MAILBOX_API_KEY } }
await fetch(process.env.MAILBOX_BASE_URL + '/api/v1/mail/messages?agent=support', own)`
  const { report } = await checked(before, { only: ['attacks/all'] }, { attacks })
  expect([report.findings, report.disturbances.tried]).toEqual([[], 1])
})

it('names the invariants that an agent breaks undisturbed', async () => {
  const before = `
const { MAILBOX_BASE_URL: to, MAILBOX_API_KEY: own } = process.env
const body = JSON.stringify({ agent: 'support', to: 'ann@example.com', subject: 'Hi', text: 'Hi' })
const init = { method: 'POST', headers: { authorization: 'Bearer ' + own, 'content-type': 'application/json' }, body }
for (const _ of [1, 2]) await fetch(to + '/api/v1/mail/messages', init)`
  const { report } = await checked(before, {}, { extend: 'common' })
  expect(report.undisturbed.broken).toEqual([
    { name: 'acts-once', found: 'the same message sent again to ann@example.com' },
  ])
})

it('reports what the scenario says is known, and what it need not say any more', async () => {
  const known = { [at503]: 'Later.' }
  const { report } = await checked('', {}, { known })
  expect(report).toMatchObject({ passed: true, findings: [] })
  expect(report.known).toMatchObject([
    { id: at503, reason: 'Later.', problem: expect.stringContaining('status 1') },
  ])
  const again = await checked('', { restart: true }, { known })
  expect(again.report.known).toEqual([{ id: at503, reason: 'Later.', problem: null }])
})

it.each(['node', 'python'])(
  'blames nobody for a play in which a model was too busy for %s',
  async (language) => {
    let asked = 0
    const model = createServer((_, response) => {
      response.statusCode = ++asked > 2 ? 429 : 200
      response.end('{}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void model.close())
    await new Promise((resolve) => model.once('listening', resolve))
    const { port } = model.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/chat`
    const before = `if (!(await fetch('${url}')).ok) process.exit(4)`
    // Its end is an uncaught error, whose response nobody reads.
    const lines = [
      'import os, urllib.request',
      `urllib.request.urlopen('${url}').read()`,
      "url = os.environ['MAILBOX_BASE_URL'] + '/api/v1/mail/threads'",
      "headers = {'Authorization': 'Bearer ' + os.environ['MAILBOX_API_KEY']}",
      'urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read()',
    ]
    const command = ['python3', '-c', lines.join('\n')]
    const { report, line } = await checked(before, language === 'python' ? { command } : {})
    expect(line).toBe('desk passes under 0 disturbances; 1 showed nothing certain')
    expect(report).toMatchObject({ passed: true, findings: [], unsure: [], spoiled: [at503] })
  },
)

it('checks several scenarios one after another, with a report of each in a folder', async () => {
  const story = { identities: [{ handle: 'support' }], expect: [{ request: 'threads.list' }] }
  const folder = await folderOf({
    'desk.json': JSON.stringify({ ...story, scenario: 'one' }),
    'shop.json': JSON.stringify({ ...story, scenario: 'two', known: { [at503]: 'Later.' } }),
    'agent.mjs': agent(),
  })
  const path = (name: string): string => join(folder, name)
  const words = ['check', path('desk.json'), path('shop.json'), '--only', at503, '--out', path('found/')]
  const { status, stderr } = await start(...words, '--', process.execPath, path('agent.mjs')).outcome
  const ids = async (name: string) => {
    const report = JSON.parse(await readFile(path(`found/${name}/report.json`), 'utf8'))
    return report.findings.map(({ id }: { id: string }) => id)
  }
  expect([status, await ids('desk'), await ids('shop')], stderr).toEqual([1, [at503], []])
})

it('lists the disturbances of an agent that passes, and says why there are none of one that fails', async () => {
  const folder = await deskOf()
  const list = (file: string) => {
    return start('check', join(folder, 'desk.json'), '--list', '--', process.execPath, join(folder, file))
      .outcome
  }
  const [passing, failing] = [await list('agent.mjs'), await list('none.mjs')]
  expect([passing.status, passing.stdout.split('\n')]).toEqual([0, expect.arrayContaining([at503])])
  expect([failing.status, failing.stdout]).toEqual([1, expect.stringContaining('Undisturbed, ')])
})

it('tries only assumptions for a command with simulators of its own, and judges it by its exit status', async () => {
  const entry = new URL('../../dist/doors/interceptor/node.js', import.meta.url)
  const folder = await folderOf({
    'test.mjs': `
import { listen } from '${entry}'
const sim = await listen({ scenario: { scenario: 'own', identities: [{ handle: 'support', generate: { threads: 9 } }] } })
const headers = { authorization: 'Bearer ' + sim.apiKey }
// Undisturbed, in real time, and longer than the patience.
if (!process.env.MAILBOX_SIM_ASSUME) await new Promise((go) => setTimeout(go, 1_200))
const response = await fetch(sim.baseUrl + '/api/v1/mail/threads?agent=support&limit=5', { headers })
process.exit((await response.json()).total === 9 ? 0 : 1)`,
  })
  const place = join(folder, 'found/')
  const options = ['--patience', '0.5s', '--out', place]
  const { status } = await start('check', ...options, '--', process.execPath, join(folder, 'test.mjs'))
    .outcome
  const report = JSON.parse(await readFile(join(place, 'report.json'), 'utf8'))
  expect([status, Object.keys(report.kinds), report.undisturbed.broken]).toEqual([1, ['assumptions'], []])
  const again = expect.stringContaining('MAILBOX_SIM_ASSUME=threads.total=page-size ')
  expect(report.findings).toMatchObject([{ id: 'assumptions/threads.total/page-size', again, file: null }])
})

it('resumes with what an earlier check found, and then what it did not try', async () => {
  const folder = await deskOf()
  const path = (name: string): string => join(folder, name)
  const run = (...flags: string[]) =>
    start('check', path('desk.json'), ...flags, '--', process.execPath, path('agent.mjs')).outcome
  await run('--only', 'faults/*', '--plays', '3', '--out', path('found/'))
  const { findings, untried } = JSON.parse(await readFile(path('found/report.json'), 'utf8'))
  const [{ id }, ...others] = findings
  expect([others, untried.length > 0, untried.includes(id)]).toEqual([[], true, false])
  const { stdout } = await run('--resume', path('found/'), '--list')
  expect(stdout).toBe([id, ...untried, ''].join('\n'))
  const none = await run('--resume', path('none/'))
  expect([none.status, none.stderr]).toEqual([
    2,
    expect.stringContaining(`there is no such file; check --out ${path('none/')} writes it.`),
  ])
})
