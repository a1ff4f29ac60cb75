import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../../test/support/simulator/asked-desk.js'
import { folderOf } from '../../test/support/temporary-folder.js'
import { createSimulator } from './create-simulator.js'
import type { Simulator } from './simulator.js'

const url = 'http://agent.test/hook?token=hook-token-7'
const soon = { timeout: '20s' }

async function traced(): Promise<{ sim: Simulator; lines: () => Promise<Record<string, unknown>[]> }> {
  const trace = join(await folderOf(), 'trace.jsonl')
  const sim = await createSimulator({
    scenario: { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }] },
    trace,
  })
  const lines = async () => {
    const text = await readFile(trace, 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
  return { sim, lines }
}

/** Has a mail come in, and waits for what it brings about. */
async function receive(sim: Simulator): Promise<void> {
  const { message } = await sim.mail.receive({ to: 'support', text: 'Any news?' })
  await sim.waitFor({ delivery: 'message.received', message: message.id }, soon)
}

it('has a line for each kind of reliance of an exchange, and of a delivery', async () => {
  const { sim, lines } = await traced()
  for (const _ of ['once', 'twice']) await ask(sim, '/api/v1/identities/support')
  const first = await lines()
  expect(first).toEqual([
    {
      gap: 'format.timestamps',
      reading: 'milliseconds',
      from: 'default',
      instead: ['seconds'],
      operation: 'identities.get',
      event: null,
      method: 'GET',
      path: '/api/v1/identities/support',
    },
  ])
  sim.webhooks.create({ url, events: ['message.received'] })
  sim.webhooks.on(url, () => undefined)
  await receive(sim)
  const [, ...second] = await lines()
  expect(second.length).toBeGreaterThan(3)
  expect(second).toContainEqual({
    gap: 'events.envelope',
    reading: 'id-event-data',
    from: 'default',
    instead: ['type-timestamp-data', 'flat'],
    operation: null,
    event: 'message.received',
    url: 'http://agent.test/hook?token=***',
  })
  expect(second.map(({ operation, event }) => ({ operation, event }))).toEqual(
    second.map(() => ({ operation: null, event: 'message.received' })),
  )
  await receive(sim)
  const again = await lines()
  const kinds = again.map(({ gap, reading, instead, operation, event }) =>
    JSON.stringify([gap, reading, instead, operation, event]),
  )
  expect(kinds).toEqual([...new Set(kinds)])
  const summary = new Set(sim.reliances().map(({ gap }) => gap))
  expect(new Set(again.map(({ gap }) => gap))).toEqual(summary)
})

it('has no line for a delivery that nobody received', async () => {
  const { sim, lines } = await traced()
  sim.webhooks.create({ url, events: ['message.received'] })
  await receive(sim)
  expect(sim.deliveries.list()).toMatchObject([{ status: 'captured' }])
  expect(sim.deliveries.list()[0]?.reliances).not.toEqual([])
  expect(await lines()).toEqual([])
  expect(sim.reliances()).toEqual([])
})

it('has what it relied on that a subscription was not told of an event', async () => {
  const { sim, lines } = await traced()
  sim.webhooks.create({ url, events: ['message.bounced'], agentHandle: 'sales' })
  const { message } = await sim.mail.send({ from: 'support', to: 'ann@mail.example', text: 'On its way.' })
  await sim.mail.bounced(message.id)
  await sim.mail.bounced(message.id)
  expect(await lines()).toEqual([
    {
      gap: 'events.bounced-sender',
      reading: 'sending-agent',
      from: 'default',
      instead: ['organization'],
      operation: null,
      event: 'message.bounced',
    },
  ])
})

describe('a trace that cannot be written', () => {
  const variable = 'MAILBOX_SIM_TRACE'
  afterEach(() => void vi.unstubAllEnvs())

  /** Why a simulator is refused that the environment names that file to. */
  async function refusal(file: string): Promise<unknown> {
    vi.stubEnv(variable, file)
    return createSimulator({ scenario: 'support-desk' }).then(
      () => 'was made',
      (error: unknown) => error,
    )
  }

  it('is refused at once when its folder is missing', async () => {
    const folder = join(await folderOf(), 'none')
    const file = join(folder, 'trace.jsonl')
    expect(await refusal(file)).toMatchObject({
      name: 'TraceError',
      code: 'unwritable',
      message: `${variable}: "${file}" cannot be written, since there is no folder "${folder}"; create it, or name another file.`,
    })
  })

  it('is refused at once when it is a folder', async () => {
    const folder = await folderOf()
    expect(await refusal(folder)).toMatchObject({
      name: 'TraceError',
      message: `${variable}: "${folder}" cannot be written, since it is a folder; name a file in it.`,
    })
  })

  it('is refused at once when a folder of its path is a file', async () => {
    const file = join(await folderOf(), 'notes')
    await writeFile(file, '')
    expect(await refusal(join(file, 'trace.jsonl'))).toMatchObject({
      name: 'TraceError',
      message: `${variable}: "${join(file, 'trace.jsonl')}" cannot be written, since "${file}" is not a folder; name another file.`,
    })
  })

  it('is refused before the scenario is loaded', async () => {
    vi.stubEnv(variable, await folderOf())
    await expect(createSimulator({ scenario: 'no-such-scenario' })).rejects.toMatchObject({
      name: 'TraceError',
    })
  })

  it('is reported once when it can no longer be written, and disturbs no request', async () => {
    const folder = join(await folderOf(), 'traces')
    const file = join(folder, 'trace.jsonl')
    await mkdir(folder)
    vi.stubEnv(variable, file)
    const defects: unknown[] = []
    const sim = await createSimulator({
      scenario: 'support-desk',
      onDefect: (error, request) => void defects.push([error, request]),
    })
    onTestFinished(() => sim.close())
    await rm(folder, { recursive: true })
    for (const path of ['threads', 'messages']) await ask(sim, `/api/v1/mail/${path}?agent=support`)
    expect(sim.journal.exchanges().map(({ status }) => status)).toEqual([200, 200])
    expect(defects).toEqual([
      [
        expect.objectContaining({
          name: 'TraceError',
          message: `${variable}: "${file}" cannot be written any more, since there is no folder "${folder}"; reliances are missing in it from now on.`,
        }),
        undefined,
      ],
    ])
    await mkdir(folder)
    await ask(sim, '/api/v1/mail/threads?agent=support')
    // What could not be written then is written once it can be.
    expect(await readFile(file, 'utf8')).toContain('"gap":"threads.order"')
  })

  it('is reported on the console by default, without a stack trace', async () => {
    const folder = join(await folderOf(), 'traces')
    await mkdir(folder)
    vi.stubEnv(variable, join(folder, 'trace.jsonl'))
    const error = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => error.mockRestore())
    const sim = await createSimulator({ scenario: 'support-desk' })
    await rm(folder, { recursive: true })
    await ask(sim, '/api/v1/mail/threads?agent=support')
    expect(error.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^agent-mailbox-sim: MAILBOX_SIM_TRACE: "\S+" cannot be written any more, [^\n]+$/,
        ),
      ],
    ])
    sim.close()
  })

  it('is one file, whatever folder the program goes to', async () => {
    const [folder, other] = [await folderOf(), await folderOf()]
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    process.chdir(folder)
    vi.stubEnv(variable, 'trace.jsonl')
    const sim = await createSimulator({ scenario: 'support-desk' })
    process.chdir(other)
    await ask(sim, '/api/v1/mail/threads?agent=support')
    expect(await readFile(join(folder, 'trace.jsonl'), 'utf8')).toContain('"gap":"threads.order"')
    expect(existsSync(join(other, 'trace.jsonl'))).toBe(false)
    sim.close()
  })
})
