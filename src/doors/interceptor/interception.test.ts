import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'
import { ScenarioError } from '../../story/read/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import { Interception, type MailboxTestOptions, type OpenMailbox } from './interception.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }
const interception = new Interception()
const opened: OpenMailbox[] = []

async function open(options: MailboxTestOptions = { scenario }): Promise<Simulator> {
  const open = await interception.open(options)
  opened.push(open)
  return open.mailbox
}

function closeAll(): void {
  for (const mailbox of opened.splice(0)) mailbox.close()
}

afterEach(closeAll)

const status = async (baseUrl: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${baseUrl}/api/v1/identities/support`, { headers })).status
}

describe('Interception', () => {
  it('loads a scenario once for each options object', async () => {
    let loaded = 0
    const shared = {
      scenario: () => {
        loaded++
        return scenario
      },
    }
    const [first, second] = [await open(shared), await open(shared)]
    expect(loaded).toBe(1)
    expect(first.apiKey).not.toBe(second.apiKey)
    expect(await status(first.baseUrl, second.apiKey)).toBe(200)
    await open({ ...shared })
    expect(loaded).toBe(2)
  })

  it('intercepts requests while a mailbox is open', async () => {
    const original = globalThis.fetch
    const first = await interception.open({ scenario })
    const { baseUrl, apiKey } = await open()
    first.close()
    expect(await status(baseUrl, apiKey)).toBe(200)
    expect(await status(baseUrl, first.mailbox.apiKey)).toBe(401)
    expect(globalThis.fetch).not.toBe(original)
    closeAll()
    expect(globalThis.fetch).toBe(original)
    const next = await open()
    expect(await status(next.baseUrl, next.apiKey)).toBe(200)
    expect(await status(next.baseUrl, apiKey)).toBe(401)
  })

  it('still works after it refused a scenario or an option', async () => {
    const original = globalThis.fetch
    await expect(open({ scenario: 'no-such-scenario' })).rejects.toThrow(ScenarioError)
    await expect(open({ scenario, baseUrl: 'mail.test' })).rejects.toThrow(TypeError)
    expect(globalThis.fetch).toBe(original)
    const { baseUrl, apiKey } = await open()
    expect(await status(baseUrl, apiKey)).toBe(200)
  })

  it('separates base URLs from each other and from any origin', async () => {
    const any = await open({ scenario, baseUrl: '*' })
    const one = await open({ scenario, baseUrl: 'https://one.test' })
    const late = await open({ scenario, baseUrl: '*' })
    expect(await status('https://one.test', one.apiKey)).toBe(200)
    expect(await status('https://elsewhere.test', any.apiKey)).toBe(200)
    expect(await status('https://elsewhere.test', late.apiKey)).toBe(200)
    expect(await status('https://one.test', late.apiKey)).toBe(401)
  })

  it('refuses to share a world at the same time and resets it for the next test', async () => {
    const shared: MailboxTestOptions = { scenario, isolation: 'reset' }
    const first = await open(shared)
    await expect(open(shared)).rejects.toThrow("Tests with isolation: 'reset' share one world")
    first.identities.create({ handle: 'sales' })
    closeAll()
    expect((await open(shared)).identities.list()).toHaveLength(1)
  })

  it.each(['fork', 'reset'] as const)('sets the mode of the clock with isolation %s', async (isolation) => {
    for (const clock of [undefined, 'real', '10x'] as const) {
      const mailbox = await open({ scenario, isolation, clock })
      expect(mailbox.clock.mode).toBe(clock ?? 'frozen')
      expect(mailbox.clock.now() > '2026-06').toBe(clock === 'real')
      closeAll()
    }
  })

  it('uses one server at a time and leaves a given server listening', async () => {
    const server = setupServer()
    await open()
    await expect(open({ scenario, server })).rejects.toThrow('MSW lets one server at a time')
    closeAll()
    server.listen()
    const { baseUrl, apiKey } = await open({ scenario, server })
    await expect(open()).rejects.toThrow('MSW lets one server at a time')
    closeAll()
    expect(await status(baseUrl, apiKey)).toBe(401)
    server.close()
  })
})
