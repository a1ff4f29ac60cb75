import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../../../test/support/simulator/asked-desk.js'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { defineExtension } from '../../service/extensions/define-extension.js'
import { createSimulator, openSimulator } from './create-simulator.js'
import type { SimulatorOptions } from './options.js'
import type { Simulator } from './simulator.js'

const url = 'http://agent.test/hook?token=hook-token-7'
const soon = { timeout: '20s' } as const
const variable = 'MAILBOX_SIM_TRACE'
afterEach(() => void vi.unstubAllEnvs())

async function traced(
  extend: SimulatorOptions['extend'] = [],
): Promise<{ sim: Simulator; lines: () => Promise<Record<string, unknown>[]> }> {
  const trace = join(await folderOf(), 'trace.jsonl')
  vi.stubEnv(variable, trace)
  const sim = await createSimulator({
    scenario: { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }] },
    extend,
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

/** Receives a message and waits for its delivery. */
async function receive(sim: Simulator): Promise<void> {
  const { message } = await sim.mail.receive({ to: 'support', text: 'Any news?' })
  await sim.waitFor({ delivery: 'message.received', message: message.id }, soon)
}

it('is in the file that a play names, and not in that of the environment', async () => {
  const folder = await folderOf({ own: '', other: '' })
  vi.stubEnv(variable, join(folder, 'other'))
  const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }
  const sim = await openSimulator({ scenario, trace: join(folder, 'own') })
  await ask(sim, '/api/v1/identities/support')
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  expect([await read('own'), await read('other')]).toEqual([expect.stringContaining('format.timestamps'), ''])
})

it('writes a line for each different reliance of exchanges and deliveries', async () => {
  const { sim, lines } = await traced()
  for (const _ of ['once', 'twice']) await ask(sim, '/api/v1/identities/support')
  const first = await lines()
  expect(first).toEqual([
    {
      gap: 'format.timestamps',
      assumption: 'milliseconds',
      from: 'default',
      instead: ['seconds'],
      operation: 'identities.get',
      event: null,
      method: 'GET',
      path: '/api/v1/identities/support',
    },
  ])
  sim.webhooks.create({ url, events: ['message.received'] })
  await receive(sim)
  const [captured] = sim.deliveries.list()
  expect([captured?.status, captured?.reliances]).toEqual([
    'captured',
    expect.arrayContaining([expect.anything()]),
  ])
  expect(await lines()).toEqual(first)
  expect(sim.reliances()).toHaveLength(first.length)
  sim.webhooks.on(url, () => undefined)
  await receive(sim)
  const [, ...second] = await lines()
  expect(second.length).toBeGreaterThan(3)
  expect(second).toContainEqual({
    gap: 'events.envelope',
    assumption: 'id-event-data',
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
  const kinds = again.map(({ gap, assumption, instead, operation, event }) =>
    JSON.stringify([gap, assumption, instead, operation, event]),
  )
  expect(kinds).toEqual([...new Set(kinds)])
  const summary = new Set(sim.reliances().map(({ gap }) => gap))
  expect(new Set(again.map(({ gap }) => gap))).toEqual(summary)
})

it('writes what the assumptions of a gap are that an extension defines', async () => {
  const own = { question: 'What happens?', assumptions: { ignored: 'Nothing.', rejected: 'It is refused.' } }
  const notes = defineExtension(({ operation, gap, z }) => {
    const unknownFields = gap({ id: 'notes.unknown-fields', ...own })
    const body = z.object({ text: z.string().optional() })
    const post = { id: 'notes.add', method: 'POST', path: '/api/v1/notes', perform: () => ({}) } as const
    return [operation({ ...post, body, unknownFields })]
  })
  const { sim, lines } = await traced([notes])
  await ask(sim, '/api/v1/notes', { method: 'POST', body: '{"txt":"a"}' })
  const { assumptions } = own
  expect(await lines()).toMatchObject([{ gap: 'notes.unknown-fields', own: { assumptions } }])
})

it('writes the reliance of an event that a subscription did not receive', async () => {
  const { sim, lines } = await traced()
  sim.webhooks.create({ url, events: ['message.bounced'], agentHandle: 'sales' })
  const { message } = await sim.mail.send({ from: 'support', to: 'ann@mail.example', text: 'On its way.' })
  await sim.mail.bounced(message.id)
  await sim.mail.bounced(message.id)
  expect(await lines()).toEqual([
    {
      gap: 'events.bounced-sender',
      assumption: 'sending-agent',
      from: 'default',
      instead: ['organization'],
      operation: null,
      event: 'message.bounced',
    },
  ])
})

describe('a trace that cannot be written', () => {
  it.each(['none/trace.jsonl', 'folder', 'notes/trace.jsonl'])('is refused: %s', async (path) => {
    const file = join(await folderOf({ notes: '', 'folder/file': '' }), path)
    vi.stubEnv(variable, file)
    await expect(createSimulator({ scenario: 'support-desk' })).rejects.toMatchObject({
      name: 'TraceError',
      code: 'unwritable',
      message: expect.stringMatching(
        /^The trace \(MAILBOX_SIM_TRACE\) cannot be written: E[A-Z]+: .*, open '\/.*'\.$/,
      ),
    })
  })

  it('is reported once when it can no longer be written, without effect on requests', async () => {
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
          message: `The trace (${variable}) can no longer be written, so reliances are missing in it from now on: ENOENT: no such file or directory, open '${file}'.`,
        }),
        undefined,
      ],
    ])
  })

  it('stays at its path when the process changes its working directory', async () => {
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
