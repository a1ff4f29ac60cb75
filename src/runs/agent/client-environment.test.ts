import { type RunningServer, startServer } from 'agent-mailbox-sim/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Tools } from '../../doors/mcp/tools.js'
import { clientEnvironment } from './client-environment.js'

const environmentOf = (server: RunningServer, variables = {}) => {
  const place = { server, url: server.url, ports: new Map(), stateDir: '/state' }
  return clientEnvironment(place, 1, variables)
}

it('says what the agent is asked to do, in tools as well, but not to others', async () => {
  const server = await startServer({
    scenario: {
      scenario: 'desk',
      task: 'Send {{secret.code}} to {{person.fullName}}.',
      secrets: { code: 'lamp-{{string.numeric(6)}}' },
      identities: [{ handle: 'support' }],
      organizations: [{ api_keys: ['other-key'], identities: [{ handle: 'other' }] }],
    },
    port: 0,
  })
  onTestFinished(() => server.close())
  const { simulator } = server
  expect(simulator.task).toMatch(/^Send lamp-\d{6} to .+ .+\.$/)
  expect(environmentOf(server)['MAILBOX_TASK']).toBe(simulator.task)
  expect(simulator.fork().task).toBe(simulator.task)
  const answer = await fetch(`${server.controlUrl}/world`, { headers: { 'x-sim-world': simulator.id } })
  expect(await answer.json()).toMatchObject({ task: simulator.task })
  const tools = new Tools(simulator.service)
  expect(await tools.instructions(simulator.apiKey)).toContain(`Your task: ${simulator.task}`)
  expect(await tools.instructions('other-key')).not.toContain('task')
})

it('names the mailbox of the agent, and the machine as one that needs no proxy where there is one', async () => {
  for (const name of [
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'no_proxy',
    'NO_PROXY',
  ])
    vi.stubEnv(name, undefined)
  vi.stubEnv('HTTP_PROXY', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = await startServer({ scenario: 'refund-conversation', port: 0 })
  onTestFinished(() => server.close())
  const environment = environmentOf(server)
  expect(environment).toMatchObject({ MAILBOX_AGENT: 'support', MAILBOX_BASE_URL: server.url })
  expect(environment).not.toHaveProperty('NO_PROXY')
  vi.stubEnv('HTTP_PROXY', 'http://proxy.example:3128')
  expect(environmentOf(server, { NO_PROXY: '.intranet' })['NO_PROXY']).toBe('.intranet')
  const { NO_PROXY, no_proxy } = environmentOf(server)
  expect([NO_PROXY, no_proxy]).toEqual(['localhost,127.0.0.1,::1', 'localhost,127.0.0.1,::1'])
})
