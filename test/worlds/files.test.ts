import type { Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { transports } from './transports.js'

/** Receives mail with a file and returns the path of the file. */
async function receiveFile({ mail }: Simulator, text = 'For one world'): Promise<string> {
  const attachments = [{ filename: 'note.txt', content: btoa(text) }]
  const { message } = await mail.receive({ to: 'support', attachments })
  return new URL(`${message.attachments[0]?.url}`, 'http://mailbox.test').pathname
}

describe.each(Object.entries(transports))('a stored file %s', (_, connect) => {
  it('is served only for the key of a world that has it', async () => {
    const { simulator, ask } = await connect()
    const [one, other] = [simulator.fork(), simulator.fork()]
    const path = await receiveFile(one)
    expect(await (await ask(one.apiKey, path)).text()).toBe('For one world')
    for (const key of [other.apiKey, 'desk-key', 'anything']) expect((await ask(key, path)).status).toBe(404)
    one.reset()
    expect((await ask(one.apiKey, path)).status).toBe(404)
  })

  it('is served without a key while any world has it', async () => {
    const { simulator, ask } = await connect()
    const [one, other] = [simulator.fork(), simulator.fork()]
    const path = await receiveFile(one)
    expect(await receiveFile(other)).toBe(path)
    expect(await receiveFile(simulator.fork(), 'For another world')).not.toBe(path)
    one.close()
    expect(await (await ask(undefined, path)).text()).toBe('For one world')
    other.close()
    expect((await ask(undefined, path)).status).toBe(404)
  })
})
