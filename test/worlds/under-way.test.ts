import { describe, expect, it } from 'vitest'
import { doors } from './doors.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A body that comes in two parts. */
function slowBody(beginning: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const send = (text: string) => writer.write(new TextEncoder().encode(text))
  void send(beginning)
  const end = (text: string) => {
    void send(text)
    void writer.close()
  }
  return { sending: { method: 'PATCH', body: readable, duplex: 'half' as const }, end }
}

describe.each(Object.entries(doors))('a request that is under way %s', (_, openDoor) => {
  it('changes nothing in a world that is dropped meanwhile', async () => {
    const { simulator, ask } = await openDoor()
    const fork = simulator.fork()
    const { sending, end } = slowBody('{"display_name":')
    const answering = ask(fork.apiKey, '/api/v1/identities/support', sending)
    await pause(50)
    fork.close()
    end('"Late"}')
    const answer = await answering
    const { error } = await answer.json()
    expect([answer.status, error.code]).toEqual([401, 'unauthorized'])
    expect(error.message).toMatch(/closed|dropped/)
    for (const world of [fork, simulator]) {
      expect(world.identities.get('support').display_name).toBe('support')
    }
  })

  it('is about the world as it is when all of it has come', async () => {
    const { simulator, ask } = await openDoor()
    const before = simulator.snapshot()
    simulator.identities.create({ handle: 'joe' })
    const { sending, end } = slowBody('{"display_name":')
    const answering = ask('desk-key', '/api/v1/identities/joe', sending)
    await pause(50)
    simulator.restore(before)
    end('"Late"}')
    expect((await answering).status).toBe(404)
    expect(simulator.identities.list().map(({ agent_handle }) => agent_handle)).toEqual(['support'])
  })

  it('is answered at once when its delay ends with its world', async () => {
    const { simulator, ask } = await openDoor()
    const fork = simulator.fork()
    fork.faults.add({ operation: 'threads.list', delay: '1h' })
    const answering = ask(fork.apiKey, '/api/v1/mail/threads')
    while (fork.faults.list()[0]?.hit === 0) await pause(1)
    fork.close()
    expect((await answering).status).toBe(200)
  })

  it('is answered when the clock is moved on by its delay, and what it drips', async () => {
    const { simulator, ask } = await openDoor()
    simulator.faults.add({ operation: 'threads.list', delay: '1h', drip: '1h' })
    const reading = ask('desk-key', '/api/v1/mail/threads').then((answer) => answer.json())
    while (simulator.faults.list()[0]?.hit === 0) await pause(1)
    const over = reading.then(() => true)
    while (!(await Promise.race([over, pause(1)]))) await simulator.clock.advance('1h')
    expect((await reading).total).toBe(2)
  })
})
