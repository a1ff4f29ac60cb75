import { createSimulator, type LoadProgress } from 'agent-mailbox-sim'
import { startServer } from 'agent-mailbox-sim/server'
import { expect, it } from 'vitest'

const scenario = {
  scenario: 'mailbox',
  identities: [{ handle: 'agent', generate: { threads: 3, messages: 4, kinds: ['support' as const] } }],
}

it.each(['a simulator in the process', 'a server'])('%s reports the progress of loading', async (kind) => {
  const told: LoadProgress[] = []
  const options = { scenario, onProgress: (progress: LoadProgress) => void told.push(progress) }
  const opened =
    kind === 'a server' ? await startServer({ ...options, port: 0 }) : await createSimulator(options)
  await opened.close()
  expect(told).toEqual([{ messages: 12, of: 12 }])
})
