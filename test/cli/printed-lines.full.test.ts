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
    '--clock frozen --env OWN_URL={base_url} --env OWN_KEY={api_key} --env OWN_CONTROL={control_url} --extend common',
    '--agent-controls all --allow-delivery-to receiver.example:8443 --env API_TOKEN=own-secret-77',
  ].flatMap((some) => some.split(' '))
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

it('prints lines that replay what check found in any shell, whatever the name of the scenario', async () => {
  const { path, run, paste } = await useClient("../it's/two")
  const only = ['--only', 'assumptions/threads.total/page-size']
  const shown = await run('check', ...only, '--out', `${path('found')}/`)
  const [, again = ''] = /again {5}(npx .*)$/m.exec(shown) ?? []
  const [written = ''] = (await readdir(path('found'))).filter((one) => one.endsWith('.yaml'))
  const [, comment = ''] = /^# Replay: (npx .*)$/m.exec(await readFile(path('found', written), 'utf8')) ?? []
  for (const line of [again, comment]) {
    expect(line).toContain('--allow-delivery-to receiver.example:8443')
    const { status, said } = await paste(line)
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining(failure) })
  }
})
