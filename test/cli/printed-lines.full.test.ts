import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { built } from './built-program.js'
import { useProgram } from './program.js'
import { useFolder } from './temporary-folder.js'

const start = useProgram()

// Each line starts a client several times.
vi.setConfig({ testTimeout: 240_000 })

const note = "it's\na note with \\n, %s and $HOME"

/** Breaks where `total` counts a page, and fails in another way without the flags of the line that first ran it. */
const client = `
const { OWN_URL: url, OWN_KEY: key, OWN_CONTROL: sim } = process.env
const get = async (address) => (await fetch(address, { headers: { authorization: 'Bearer ' + key } })).json()
const need = (truth, what) => { if (!truth) { console.error('Error: without ' + what); process.exit(7) } }
need(url && key && sim, '--env')
need(process.argv[2] === ${JSON.stringify(note)}, 'its argument')
need((await get(sim + '/clock')).mode === 'frozen', '--clock')
need(JSON.stringify(await get(sim + '/openapi.json')).includes('/mail/messages/{message_id}/'), '--extend')
const { threads, total } = await get(url + '/api/v1/mail/threads?agent=support&limit=1')
if (total !== 2) { console.error('Error: expected 2 threads, got ' + total); process.exit(1) }
`

const failure = 'Error: expected 2 threads, got 1'

/** Writes a client, and a scenario that names code and a file outside of its folder; returns functions that run both. */
async function useClient(scenario = 'two') {
  const path = await useFolder()
  await Promise.all([mkdir(path('story')), mkdir(path('mail')), mkdir(path('bin'))])
  await writeFile(
    path('mail', 'one.eml'),
    'From: ann@example.com\nTo: support@agents.example\nSubject: One\n\nHello',
  )
  const threads = [
    { messages: [{ eml: '../mail/one.eml' }] },
    { messages: [{ from: 'bo@example.com', text: 'Hi' }] },
  ]
  await writeFile(
    path('story', 'story.json'),
    JSON.stringify({ scenario, extend: './own.mjs', identities: [{ handle: 'support', threads }] }),
  )
  await writeFile(path('story', 'own.mjs'), 'export default []')
  await writeFile(path('client.mjs'), client)
  // Stands for npx in a project that has installed the package.
  await writeFile(path('bin', 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${built.main}' "$@"\n`)
  await chmod(path('bin', 'npx'), 0o755)
  const flags = [
    ...[
      '--clock',
      'frozen',
      '--env',
      'OWN_URL={base_url}',
      '--env',
      'OWN_KEY={api_key}',
      '--env',
      'OWN_CONTROL={control_url}',
      '--extend',
      'common',
    ],
    ...['--allow-delivery-to', 'receiver.example:8443', '--env', 'API_TOKEN=own-secret-77'],
  ]
  const run = async (name: string, ...more: readonly string[]) => {
    const words = [...flags, ...more, '--', process.execPath, path('client.mjs'), note]
    const { stdout, stderr } = await start(name, path('story', 'story.json'), ...words).outcome
    expect(stdout, stderr).toContain(failure)
    expect(stdout).not.toContain('own-secret-77')
    return stdout
  }
  const paste = (line: string) => {
    const env = { ...process.env, PATH: `${path('bin')}:${process.env['PATH']}` }
    return new Promise<{ status: unknown; said: string }>((resolve) => {
      execFile('sh', ['-c', line], { env }, (error, stdout, stderr) => {
        resolve({ status: error?.code ?? 0, said: stdout + stderr })
      })
    })
  }
  return { path, run, paste }
}

it('prints a line that shows the break of an exploration in any shell', async () => {
  const { run, paste } = await useClient()
  const [, line = ''] = /see it {2}(npx .*)$/m.exec(await run('explore', '--gaps', 'threads.total')) ?? []
  expect(line).toContain('--allow-delivery-to receiver.example:8443')
  const { status, said } = await paste(line)
  expect(said).toContain('already fails without any change')
  expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining(failure) })
})

it('prints lines that replay what fuzz found in any shell, whatever the name of the scenario', async () => {
  const { path, run, paste } = await useClient("../it's/two")
  const search = ['--vary', 'assumptions', '--runs', '20', '--seed', '4', '--out', path('found')]
  const shown = await run('fuzz', ...search)
  const [, seeIt = ''] = /see it {2}(npx .*)$/m.exec(shown) ?? []
  const [, again = ''] = /then run it again: (npx .*)$/m.exec(shown) ?? []
  const [written = ''] = (await readdir(path('found'))).filter((one) => one.endsWith('.yaml'))
  const file = await readFile(path('found', written), 'utf8')
  const [, comment] = /^# Replay: (npx .*)$/m.exec(file) ?? []
  expect([seeIt, again]).toEqual([comment, comment])
  expect(seeIt).toContain('--allow-delivery-to receiver.example:8443')
  const { status, said } = await paste(seeIt)
  expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining(failure) })
})

it('prints a line that shows how a command fails before anything is fuzzed', async () => {
  const { run, paste } = await useClient()
  const shown = await run('fuzz', '--assume', 'threads.total=page-size')
  const [, line = ''] = /^This shows why: (npx .*)$/m.exec(shown) ?? []
  const { status, said } = await paste(line)
  expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining(failure) })
})
