import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { replayAndKeep } from '../../src/runs/replay/replay.js'
import { useFolder } from '../cli/temporary-folder.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'

const { variables } = expectNoProcessLeft()

/** Answers every message, also those of programs; told `once`, the first of each thread. */
const loop = `
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
const ask = async (path, body) => {
  const options = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(base + '/api/v1/mail/' + path, { headers, ...options })).json()
}
const done = new Set()
for (;;) {
  for (const { id } of (await ask('threads?limit=100&agent=support')).threads) {
    if (process.argv[2] && done.has(id)) continue
    done.add(id)
    const { messages } = await ask('messages?limit=5&thread_id=' + id)
    for (const one of messages.filter(({ direction, id }) => direction === 'inbound' && !done.has(id))) {
      done.add(one.id)
      await ask('messages/' + one.id + '/reply', { text: 'Thank you.' })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 20_000))
}
`

it('ends a conversation of two programs that answer each other', async () => {
  const path = await useFolder()
  await writeFile(path('loop.mjs'), loop)
  const ann = 'ann@example.com'
  const away = { headers: { 'Auto-Submitted': 'auto-replied' }, text: 'I am away.' }
  const { report, server } = await replayAndKeep({
    scenario: {
      ...{ scenario: 'away', extend: 'common', identities: [{ handle: 'support' }] },
      timeline: [
        { after: '10s', receive: { to: 'support', from: ann, subject: 'Hours', text: 'When do you open?' } },
        {
          key: 'away',
          when: { sent: { to: ann }, every: true },
          receive: { in_reply_to: 'sent', ...away },
        },
      ],
      expect: [{ invariant: 'ignores-automatic-mail' }],
    },
    command: [process.execPath, path('loop.mjs')],
    variables: variables(),
    maxSent: 60,
  })
  await server.close()
  expect(JSON.stringify(report)).toContain('an answer to automatic mail, Auto-Submitted: auto-replied')
  expect(report.runaway).toContain('The agents have sent 60 messages')
})

it('goes on with many people of whom each answers once', async () => {
  const path = await useFolder()
  await writeFile(path('once.mjs'), loop)
  const people = Array.from({ length: 40 }, (_, index) => ({
    after: '10s' as const,
    receive: { to: 'support', from: `p${index}@example.com`, subject: `Hours ${index}`, text: 'And you?' },
  }))
  const { report, server } = await replayAndKeep({
    scenario: {
      ...{ scenario: 'crowd', extend: 'common', identities: [{ handle: 'support' }] },
      timeline: [
        ...people,
        {
          key: 'thanks',
          when: { sent: { to: '*@example.com' }, after: '2m', every: true },
          receive: { in_reply_to: 'sent', text: 'Thanks.' },
        },
      ],
      expect: [{ sent: {}, at_least: 40, at_most: 40 }],
    },
    command: [process.execPath, path('once.mjs'), 'once'],
    variables: variables(),
  })
  const received = server.simulator.mailbox.threads({ limit: 100 }).threads
  await server.close()
  expect(report).toMatchObject({ cause: null, hints: [] })
  expect(received.map(({ message_count }) => message_count)).toEqual(Array(40).fill(3))
})
