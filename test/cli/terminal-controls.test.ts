import { writeFile } from 'node:fs/promises'
import { startServer } from 'agent-mailbox-sim/server'
import { expect, it, onTestFinished } from 'vitest'
import { programInProcess } from './in-process.js'
import { useFolder } from './temporary-folder.js'

const start = programInProcess()
const clears = '\x1b[2J'
const renames = '\x1b]0;owned\x07'

const scenario = {
  scenario: `desk${clears}`,
  identities: [{ handle: 'support' }],
  timeline: [{ after: '1s', key: `news${renames}`, receive: { to: 'support', subject: 'News' } }],
  expect: [{ request: 'threads.list', describe: `Reads its mail${renames}` }],
}

it('removes terminal controls that a scenario or a mail contains', async () => {
  const path = await useFolder()
  await writeFile(path('desk.json'), JSON.stringify(scenario))
  await writeFile(path('broken.json'), JSON.stringify({ ...scenario, [`timelin${clears}`]: [] }))
  await writeFile(
    path('mail.eml'),
    `From: Bo${clears} <bo@shop.example>\r\nSubject: Lamp${renames}\r\n\r\nHi`,
  )
  const server = await startServer({ scenario: path('desk.json') as never, clock: 'frozen', port: 0 })
  onTestFinished(() => server.close())
  const outputs: string[] = []
  for (const line of [
    ['replay', path('desk.json')],
    ['scenarios', 'check', path('desk.json')],
    ['scenarios', 'check', path('broken.json')],
    ['receive', 'support', '--eml', path('mail.eml'), '--url', server.url],
    ['trigger', '--url', server.url],
    ['trigger', `x${clears}`, '--url', server.url],
  ]) {
    const { stdout, stderr } = await start(...line).outcome
    outputs.push(stdout + stderr)
  }
  expect(outputs.map((text) => text.length > 20 && /\p{Cc}/u.exec(text.replaceAll('\n', ''))?.[0])).toEqual(
    outputs.map(() => undefined),
  )
  expect(outputs[0]).toContain('Reads its mail')
  expect(outputs[3]).toMatch(/^msg_\w+ from .*: Lamp/)
})
