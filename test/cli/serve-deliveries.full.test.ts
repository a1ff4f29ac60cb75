import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../deliveries/desk.js'
import { answering, type Behaviour, hanging, type Receiver, startReceiver } from '../deliveries/receiver.js'
import { findLine, nextLine, type RunningProgram, useProgram } from './program.js'
import { useFolder } from './temporary-folder.js'

const start = useProgram()

const mail = { to: 'support', from: 'Ann <ann@mail.example>', text: 'Any news?' }

async function send(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** A serving program, its URL and its error stream so far. */
interface Served extends RunningProgram {
  readonly url: string
  errors(): string
}

/** Serves a scenario with a subscription whose URL has a key, and receives a mail. */
async function serve(receiver: Receiver, url: string, ...args: readonly string[]): Promise<Served> {
  const file = (await useFolder())('told.yaml')
  const webhook = { url, events: ['message.received'], auth_token: 'hook-token-1' }
  await writeFile(
    file,
    JSON.stringify({ scenario: 'told', identities: [{ handle: 'support' }], webhooks: [webhook] }),
  )
  const program = start('serve', file, '--port', '0', ...args)
  let errors = ''
  program.process.stderr?.on('data', (text) => {
    errors += text
  })
  const origin = await findLine(program, /http:\/\/127\.0\.0\.1:\d+/)
  await send(`${origin}/_sim/messages`, mail)
  await until(() => receiver.received.length === 1)
  return { ...program, url: origin, errors: () => errors }
}

async function startHookReceiver(
  behaviour: Behaviour,
  host?: string,
): Promise<{ receiver: Receiver; url: string }> {
  const receiver = await startReceiver({ '/hook?key=url-key-1': behaviour }, host)
  return { receiver, url: `${receiver.origin}/hook?key=url-key-1` }
}

describe('serve stopped during a slow delivery', () => {
  it('reports the number of interrupted deliveries with --json', async () => {
    const { receiver, url } = await startHookReceiver(hanging)
    const program = await serve(receiver, url, '--json')
    program.process.kill('SIGTERM')
    expect(await nextLine(program)).toBe('{"event":"stopped","interrupted":1}')
    expect(await program.outcome).toMatchObject({ status: 0, signal: null, stderr: '' })
  })
})

describe('serve --verbose', () => {
  it('writes a line for every attempt without keys and tokens', async () => {
    const { receiver, url } = await startHookReceiver(answering(204))
    const program = await serve(receiver, url, '--verbose', '--json')
    const line = await until(() => /^message\.received .*\n/m.exec(program.errors())?.[0])
    expect(line).toMatch(
      /^message\.received to http:\/\/127\.0\.0\.1:\d+\/hook\?key=\*\*\* 204 \d+\.\d ms\n$/,
    )
    program.process.kill('SIGTERM')
    const { stderr } = await program.outcome
    expect(stderr).not.toMatch(/url-key-1|hook-token-1/)
  })
})

it('serve --verbose explains a failed attempt with the remedy', async () => {
  const receiver = await startReceiver({ '/hook': answering(200) })
  const elsewhere = { url: 'http://192.0.2.7:81/in', events: ['message.received'] }
  const program = await serve(receiver, `${receiver.origin}/hook`, '--verbose')
  await send(`${program.url}/_sim/webhooks`, elsewhere)
  await send(`${program.url}/_sim/messages`, mail)
  const line = await until(() => /^.* blocked .*\n/m.exec(program.errors())?.[0])
  expect(line).toMatch(
    /^message\.received to http:\/\/192\.0\.2\.7:81\/in blocked \d+\.\d ms: Deliveries go only /,
  )
  expect(line).toMatch('--allow-delivery-to 192.0.2.7:81')
})

describe('serve --allow-delivery-to', () => {
  it('allows deliveries to the given hosts', async () => {
    const { receiver, url } = await startHookReceiver(answering(200), '0.0.0.0')
    const { port } = new URL(url)
    const program = await serve(
      receiver,
      url,
      '--allow-delivery-to',
      'a.test',
      '--allow-delivery-to',
      `0.0.0.0:${port}`,
    )
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer hook-token-1')
    program.process.kill('SIGTERM')
    expect(await program.outcome).toMatchObject({ status: 0 })
  })
})
