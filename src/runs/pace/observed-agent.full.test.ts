import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { RequestGate } from '../../doors/pace/request-gate.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import { Lockstep } from './lockstep.js'
import { ObservedAgent, type ObservedAgentOptions } from './observed-agent.js'
import { Observers } from './observers.js'

const state = { works: null, maybe: null, asks: [], own: 0, listens: [], waits: [], activity: 1 }

/** Returns an agent of one process whose observer is played by `answer`, which gets what it is told. */
async function observe(
  answer: (message: { readonly probe?: number; readonly fire?: number }) => object | undefined,
  facts: Partial<Pick<ObservedAgentOptions, 'isPreparing' | 'now'>>,
): Promise<ObservedAgent> {
  const simulator = await createSimulator({ scenario: 'empty', clock: 'frozen' })
  // Its group has no other process.
  const child = spawn('sleep', ['1000'], { detached: true })
  let join = (): void => undefined
  const joined = new Promise<void>((resolve) => {
    join = resolve
  })
  const ignore = (): void => undefined
  const observers = await Observers.listen({
    ...{ changed: ignore, asks: ignore, noted: ignore },
    joined: () => join(),
  })
  const socket = connect(observers.socket)
  const gate = new RequestGate(simulator.paced)
  onTestFinished(async () => {
    socket.destroy()
    child.kill()
    gate.close()
    simulator.close()
    await observers.close()
  })
  socket.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) {
      const reply = answer(JSON.parse(line))
      if (reply) socket.write(`${JSON.stringify(reply)}\n`)
    }
  })
  await once(socket, 'connect')
  socket.write(`${JSON.stringify({ hello: { pid: child.pid, ppid: 1, runtime: 'node' } })}\n`)
  await joined
  return new ObservedAgent({
    ...{ observers, gate, patience: 60_000, date: 0, ended: new AbortController().signal },
    ...{
      groups: () => new Set([child.pid as number]),
      isChanging: () => false,
      lockstep: new Lockstep(() => false),
      isPreparing: () => false,
    },
    ...{ answering: () => 0, requests: () => 0, held: () => 0, delivering: () => 1, events: () => 0 },
    ...{ began: () => 0, now: () => 0, ...facts },
  })
}

it('takes an agent for resting only after two looks without work, whatever it was seen at before', async () => {
  let [looks, isPreparing] = [0, true]
  const agent = await observe(
    ({ probe }) => {
      if (probe === undefined) return undefined
      looks++
      // The delivery is sent while the second look is under way.
      if (looks === 2) isPreparing = false
      return { probe, state }
    },
    { isPreparing: () => isPreparing },
  )
  expect(await agent.rests(new AbortController().signal)).toEqual([])
  expect(looks).toBe(3)
})
