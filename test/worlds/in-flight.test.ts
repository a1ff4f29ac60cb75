import { describe, expect, it } from 'vitest'
import { transports } from './transports.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Creates a body in two parts. */
function slowBody(initialState: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const send = (text: string) => writer.write(new TextEncoder().encode(text))
  void send(initialState)
  const end = (text: string) => {
    void send(text)
    void writer.close()
  }
  return { sending: { method: 'PATCH', body: readable, duplex: 'half' as const }, end }
}

const rename = (name: string) => ({ method: 'PATCH', body: JSON.stringify({ display_name: name }) })

describe.each(Object.entries(transports))('a request in progress %s', (_, connect) => {
  it.each(['is dropped', 'is reset', 'goes back to a snapshot'])(
    'leaves no trace in a world that %s',
    async (ending) => {
      const { simulator, ask } = await connect()
      const world = simulator.fork()
      const before = world.snapshot()
      world.identities.create({ handle: 'joe' })
      const bodies = ['support', 'joe'].map((handle) => ({ handle, ...slowBody('{"display_name":') }))
      // A rule that hits none of them counts those that have arrived.
      const arrivals = world.faults.add({ status: 503, after: 1000 })
      const answering = bodies.map(({ handle, sending }) => {
        return ask(world.apiKey, `/api/v1/identities/${handle}`, sending)
      })
      while (world.faults.list()[0]?.matched !== bodies.length) await pause(1)
      world.faults.remove(arrivals.id)
      world.faults.add({ delay: '1h' })
      answering.push(ask(world.apiKey, '/api/v1/identities/support', rename('Delayed')))
      answering.push(ask(world.apiKey, '/api/v1/mail/threads'))
      while (world.faults.list()[0]?.hit !== 2) await pause(1)
      if (ending === 'is dropped') world.close()
      else if (ending === 'is reset') world.reset()
      else world.restore(before)
      for (const { end } of bodies) end('"Late"}')
      for (const answer of await Promise.all(answering)) {
        const { error } = await answer.json()
        expect([answer.status, error.code]).toEqual([503, 'service_unavailable'])
        expect(error.message).toMatch(
          /^The world was (closed|reset or restored) while this request was in progress\.$/,
        )
      }
      expect(world.journal.exchanges()).toEqual([])
      expect(world.identities.get('support').display_name).toBe('support')
      expect(simulator.identities.get('support').display_name).toBe('support')
    },
  )

  it('is answered when the clock has advanced by its delays', async () => {
    const { simulator, ask } = await connect()
    simulator.faults.add({ operation: 'threads.list', delay: '1h', drip: '1h' })
    const reading = ask('desk-key', '/api/v1/mail/threads').then((answer) => answer.json())
    while (simulator.faults.list()[0]?.hit === 0) await pause(1)
    const over = reading.then(() => true)
    while (!(await Promise.race([over, pause(1)]))) await simulator.clock.advance('1h')
    expect((await reading).total).toBe(2)
  })
})
