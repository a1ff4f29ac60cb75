import { describe, expect, it } from 'vitest'
import { nextLine, useProgram } from './program.js'

const start = useProgram()

/** Starts a server in a separate process. */
async function serve(...args: readonly string[]): Promise<string> {
  const program = start('serve', ...args, '--port', '0', '--json', '--clock', 'frozen')
  return JSON.parse(await nextLine(program)).control
}

async function send(method: string, url: string, body?: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

/** Returns the state of a world without its journal, which snapshots omit. */
async function worldOf(control: string): Promise<object> {
  const { journal, ...world } = (await send('GET', `${control}/world?digest=true`)) as { journal: object }
  return world
}

describe('a snapshot of one process', () => {
  it('continues in another process exactly as in the first', async () => {
    const [one, other] = await Promise.all([serve('slow-and-failing'), serve('slow-and-failing')])
    const mail = { to: 'support', from: 'Ann <ann@mail.example>', text: 'Is anybody there?' }
    await send('POST', `${one}/clock`, { advance: '90s' })
    await send('POST', `${one}/messages`, mail)
    await send('PUT', `${other}/snapshot`, await send('GET', `${one}/snapshot`))
    expect(await worldOf(other)).toEqual(await worldOf(one))
    for (const control of [one, other]) {
      await send('POST', `${control}/clock`, { advance: '1h' })
      await send('POST', `${control}/messages`, mail)
    }
    expect(await worldOf(other)).toEqual(await worldOf(one))
    expect(await send('GET', `${other}/faults`)).toEqual(await send('GET', `${one}/faults`))
    expect(await send('GET', `${other}/snapshot`)).toEqual(await send('GET', `${one}/snapshot`))
  })
})
