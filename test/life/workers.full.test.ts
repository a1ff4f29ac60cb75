import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { replayAndKeep } from '../../src/runs/replay/replay.js'
import { useFolder } from '../cli/temporary-folder.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'
import { desk } from './desk.js'

const { variables } = expectNoProcessLeft()

/** Two processes of one program: the first writes for 20 s, in which the second looks for work. */
const workers = `
import { fork } from 'node:child_process'
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
const ask = async (path, body) => {
  const options = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(base + '/api/v1/mail/' + path, { headers, ...options })).json()
}
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
const worker = process.argv[2]
if (worker === undefined) for (const name of ['writes', 'looks']) fork(process.argv[1], [name])
else {
  await sleep(60)
  const threads = (await ask('threads?agent=support')).threads
  if (worker === 'writes') {
    const { messages } = await ask('messages?thread_id=' + threads[0].id)
    await sleep(20)
    await ask('messages/' + messages[0].id + '/reply', { text: 'It is on its way.' })
  }
  for (let i = 0; i < 4; i++) {
    await sleep(5)
    await ask('threads?agent=support')
  }
}
`

it('tells the requests of the processes of an agent apart', async () => {
  const path = await useFolder()
  await writeFile(path('workers.mjs'), workers)
  const mail = { to: 'support', from: 'ann@example.com', subject: 'The parcel' }
  const { report, server } = await replayAndKeep({
    scenario: {
      ...desk,
      timeline: [
        { after: '10s', receive: { ...mail, text: 'Where is it?' } },
        {
          after: '68s',
          receive: { to: 'support', place: 1, from: mail.from, text: 'Please send it elsewhere.' },
        },
      ],
      expect: [{ invariant: 'reads-before-it-answers' }, { sent: { to: mail.from }, times: 1 }],
    },
    command: [process.execPath, path('workers.mjs')],
    variables: variables(),
  })
  const processes = server.simulator.journal.entries().map(({ recorded }) => recorded.process)
  await server.close()
  expect(report.passed).toBe(true)
  expect(new Set(processes)).toEqual(new Set([1, 2]))
})
