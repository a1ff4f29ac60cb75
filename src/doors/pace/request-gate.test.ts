import { describe, expect, it, onTestFinished } from 'vitest'
import { createSimulator } from '../simulator/create-simulator.js'
import { RequestGate } from './request-gate.js'

const baseUrl = 'http://mailbox.test'

async function open(holdsRepeats?: () => boolean) {
  const simulator = await createSimulator({ scenario: 'empty', baseUrl, clock: 'frozen' })
  const gate = new RequestGate(simulator.view.world, holdsRepeats)
  onTestFinished(() => {
    gate.close()
    simulator.close()
  })
  const headers = { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' }
  const send = async (path: string, init: RequestInit = {}): Promise<number | undefined> => {
    const request = new Request(`${baseUrl}/api/v1/${path}`, { headers, ...init })
    for (const handler of simulator.handlers) {
      const result = await handler.run({ request, requestId: 'x' })
      if (result?.response) return result.response.status
    }
    return undefined
  }
  return { gate, send, simulator }
}

describe('a gate', () => {
  it('holds nothing of an agent that moves the story itself, until it stands', async () => {
    const { gate, send, simulator } = await open()
    simulator.clock.setMode('auto')
    for (let round = 0; round < 5; round++) {
      expect(await send('mail/threads')).toBe(200)
      await simulator.clock.advance('1s')
    }
    for (let round = 0; round < 3; round++) await send('mail/threads')
    void send('mail/threads')
    await expect.poll(() => gate.held).toBe(1)
  })

  it('holds no repeated request while time moves without it', async () => {
    let isOver = false
    const { gate, send } = await open(() => isOver)
    for (let round = 0; round < 6; round++) expect(await send('mail/threads')).toBe(200)
    isOver = true
    void send('mail/threads')
    await expect.poll(() => gate.held).toBe(1)
  })

  it('counts how often the same was asked without a pause', async () => {
    const { gate, send } = await open()
    for (let round = 0; round < 3; round++) await send('mail/messages')
    const first = [1, 2].map(() => send('mail/messages'))
    await expect.poll(() => gate.held).toBe(2)
    gate.open()
    await Promise.all(first)
    expect(gate.repeated).toEqual({ request: 'GET /api/v1/mail/messages', times: 1 })
    await send('mail/messages')
    void send('mail/messages')
    await expect.poll(() => gate.held).toBe(1)
    expect(gate.repeated.times).toBe(2)
  })

  it('holds a change that is refused again and again', async () => {
    const { gate, send } = await open()
    const change = () => send('identities/nobody', { method: 'PATCH', body: '{}' })
    const before = gate.news
    for (let round = 0; round < 3; round++) expect(await change()).toBe(404)
    // What the agent asks others between them is no long poll.
    expect(gate.news).toBe(before + 4)
    void change()
    await expect.poll(() => gate.held).toBe(1)
  })

  it('tells whether a round brought anything new, even if no response shows it', async () => {
    const { gate, send, simulator } = await open()
    await send('mail/messages')
    expect(gate.takeRound()).toEqual({ hasAsked: true, isNew: true, hasAskedOthers: false })
    await send('mail/messages')
    gate.noteQuestion()
    expect(gate.takeRound()).toEqual({ hasAsked: true, isNew: false, hasAskedOthers: true })
    simulator.identities.create({ handle: 'other' })
    await simulator.mail.receive({ to: 'other', from: 'ann@mail.example', subject: 'Hello' })
    expect(gate.takeRound()).toEqual({ hasAsked: false, isNew: true, hasAskedOthers: false })
    for (const isNew of [true, false]) {
      await send('identities/other', { method: 'PATCH', body: '{"display_name":"O"}' })
      expect(gate.takeRound()).toMatchObject({ hasAsked: true, isNew })
    }
  })

  it('knows of each copy what it got, since addresses in responses are its own', async () => {
    const { gate, send, simulator } = await open()
    for (const [start, isNew] of [
      [1, true],
      [2, true],
      [1, false],
      [2, false],
    ] as const) {
      simulator.view.world.agentLife = {
        client: { start, isKilled: false },
        perform: () => undefined,
        copies: 1,
      }
      await send('mail/messages')
      expect(gate.takeRound()).toMatchObject({ hasAsked: true, isNew })
    }
  })

  it('holds everything while it is not known when it was asked', async () => {
    const { gate, send } = await open()
    gate.hold()
    const held = send('mail/threads')
    await expect.poll(() => gate.held).toBe(1)
    gate.open()
    expect([await held, gate.held]).toEqual([200, 0])
  })

  it('forgets a request whose client gives up', async () => {
    const { gate, send } = await open()
    for (let round = 0; round < 3; round++) await send('mail/threads')
    const client = new AbortController()
    void send('mail/threads', { signal: client.signal }).catch(() => undefined)
    await expect.poll(() => gate.held).toBe(1)
    client.abort()
    expect(gate.held).toBe(0)
  })
})
