import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'
import { ScenarioError } from '../../scenario/index.js'
import type { Simulator } from '../../simulator/simulator.js'
import { Interception, type OpenMailbox } from './interception.js'
import type { MailboxTestOptions } from './mailbox-pool.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }
const interception = new Interception()
const opened: OpenMailbox[] = []

async function open(options: MailboxTestOptions = { scenario }): Promise<Simulator> {
  const one = await interception.open(options)
  opened.push(one)
  return one.mailbox
}

function closeAll(): void {
  for (const one of opened.splice(0)) one.close()
}

afterEach(closeAll)

const status = async (baseUrl: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${baseUrl}/api/v1/identities/support`, { headers })).status
}

describe('Interception', () => {
  it('loads a scenario once for those who share its options', async () => {
    let loaded = 0
    const shared = {
      scenario: () => {
        loaded++
        return scenario
      },
    }
    const [one, other] = [await open(shared), await open(shared)]
    expect(loaded).toBe(1)
    expect(one.apiKey).not.toBe(other.apiKey)
    expect(await status(one.baseUrl, other.apiKey)).toBe(200)
    await open({ ...shared })
    expect(loaded).toBe(2)
  })

  it('intercepts as long as a mailbox is open', async () => {
    const usual = globalThis.fetch
    const first = await interception.open({ scenario })
    const { baseUrl, apiKey } = await open()
    first.close()
    expect(await status(baseUrl, apiKey)).toBe(200)
    expect(await status(baseUrl, first.mailbox.apiKey)).toBe(401)
    expect(globalThis.fetch).not.toBe(usual)
    closeAll()
    expect(globalThis.fetch).toBe(usual)
    const anew = await open()
    expect(await status(anew.baseUrl, anew.apiKey)).toBe(200)
    expect(await status(anew.baseUrl, apiKey)).toBe(401)
  })

  it('says what is wrong with a scenario, and goes on', async () => {
    const usual = globalThis.fetch
    await expect(open({ scenario: 'no-such-scenario' })).rejects.toThrow(ScenarioError)
    await expect(open({ scenario, baseUrl: 'mail.test' })).rejects.toThrow(TypeError)
    expect(globalThis.fetch).toBe(usual)
    const { baseUrl, apiKey } = await open()
    expect(await status(baseUrl, apiKey)).toBe(200)
  })

  it('keeps base URLs apart, also from any origin', async () => {
    const any = await open({ scenario, baseUrl: '*' })
    const one = await open({ scenario, baseUrl: 'https://one.test' })
    const late = await open({ scenario, baseUrl: '*' })
    expect(await status('https://one.test', one.apiKey)).toBe(200)
    expect(await status('https://elsewhere.test', any.apiKey)).toBe(200)
    expect(await status('https://elsewhere.test', late.apiKey)).toBe(200)
    expect(await status('https://one.test', late.apiKey)).toBe(401)
  })

  it('has tests that share a world one after another', async () => {
    const shared: MailboxTestOptions = { scenario, isolation: 'reset' }
    const one = await open(shared)
    await expect(open(shared)).rejects.toThrow("Tests with isolation: 'reset' share one world")
    one.identities.create({ handle: 'sales' })
    closeAll()
    expect((await open(shared)).identities.list()).toHaveLength(1)
  })

  it.each(['fork', 'reset'] as const)('has time pass as it is told, in isolation %s', async (isolation) => {
    for (const clock of [undefined, 'real', '10x'] as const) {
      const mailbox = await open({ scenario, isolation, clock })
      expect(mailbox.clock.mode).toBe(clock ?? 'frozen')
      expect(mailbox.clock.now() > '2026-06').toBe(clock === 'real')
      closeAll()
    }
  })

  it('uses one server at a time, and leaves one that is given as it is', async () => {
    const server = setupServer()
    await open()
    await expect(open({ scenario, server })).rejects.toThrow('MSW has one server at a time')
    closeAll()
    server.listen()
    const { baseUrl, apiKey } = await open({ scenario, server })
    await expect(open()).rejects.toThrow('MSW has one server at a time')
    closeAll()
    expect(await status(baseUrl, apiKey)).toBe(401)
    server.close()
  })
})
