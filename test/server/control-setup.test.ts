import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask } from './control-client.js'
import { authorized, desk, serveDesk } from './desk.js'

const service = async (
  { url }: RunningServer,
  path: string,
  headers: Record<string, string> = authorized,
) => {
  const answer = await fetch(`${url}/api/v1/${path}`, { headers })
  return { status: answer.status, body: await answer.json() }
}

const twoOrganizations = {
  ...desk,
  organizations: [
    {
      name: 'Rival',
      api_keys: ['rival-key'],
      identities: [{ handle: 'support', mailbox_address: 'help@rival.example' }],
      webhooks: [{ url: 'http://127.0.0.1:9/rival', events: ['message.bounced' as const] }],
    },
  ],
}

describe('the agents of a world', () => {
  it('are created, shown and deleted', async () => {
    const server = await serveDesk()
    const body = {
      handle: 'eva',
      display_name: 'Eva',
      description: 'Reads',
      mailbox_address: 'eva@desk.example',
    }
    const { handle, ...fields } = body
    const added = await ask(server, 'POST', '/identities', { body })
    expect(added).toMatchObject({ status: 201, body: { agent_handle: handle, ...fields } })
    expect(await ask(server, 'GET', '/identities/eva')).toEqual({ status: 200, body: added.body })
    expect(await service(server, 'identities/eva')).toEqual({ status: 200, body: added.body })
    const { identities } = (await ask(server, 'GET', '/identities')).body
    expect(identities.map(({ agent_handle }: { agent_handle: string }) => agent_handle)).toEqual([
      'support',
      'eva',
    ])
    expect((await ask(server, 'DELETE', '/identities/@eva')).status).toBe(204)
    expect((await service(server, 'identities/eva')).status).toBe(404)
  })

  it('include those of every organization, distinguished by their ids', async () => {
    const server = await serveDesk({ scenario: twoOrganizations })
    const { identities } = (await ask(server, 'GET', '/identities')).body
    const addresses = identities.map(({ mailbox_address }: { mailbox_address: string }) => mailbox_address)
    expect(addresses).toEqual(['support@agents.example', 'help@rival.example'])
    const [own, rival] = identities
    expect((await ask(server, 'GET', '/identities/support')).body).toEqual(own)
    expect((await ask(server, 'GET', `/identities/${rival.id}`)).body).toEqual(rival)
    await ask(server, 'DELETE', `/identities/${rival.id}`)
    expect((await ask(server, 'GET', '/identities')).body).toEqual({ identities: [own] })
  })
})

describe('the webhooks of a world', () => {
  const url = 'http://127.0.0.1:8787/hook'

  it('are created, shown and deleted, with masked tokens', async () => {
    const server = await serveDesk()
    const body = { url, events: ['message.received'], agent_handle: 'support', auth_token: 'hush' }
    const added = await ask(server, 'POST', '/webhooks', { body })
    expect(added).toMatchObject({ status: 201, body: { ...body, auth_token: '***', has_auth_token: true } })
    const { webhooks } = (await ask(server, 'GET', '/webhooks')).body
    expect(webhooks.map(({ auth_token }: { auth_token: string }) => auth_token)).toEqual(['***', '***'])
    expect(webhooks[1]).toEqual(added.body)
    const shown = (await service(server, 'webhooks')).body.webhooks
    const { secret: _, ...asServed } = added.body
    expect(shown[1]).toEqual({ ...asServed, auth_token: 'hush' })
    const { commands } = (await ask(server, 'GET', '/journal/commands')).body
    expect(JSON.stringify(commands)).not.toContain('hush')
    expect(commands[0].command).toMatchObject({ type: 'create-webhook', url, auth_token: '***' })
    expect((await ask(server, 'DELETE', `/webhooks/${added.body.id}`)).status).toBe(204)
    expect((await ask(server, 'GET', '/webhooks')).body.webhooks).toHaveLength(1)
  })

  it('show a missing token under its reading', async () => {
    const server = await serveDesk({ readings: { 'webhooks.auth-token-absent': 'empty-string' } })
    const body = { url, events: ['message.bounced'], agent_handle: null, auth_token: null }
    const added = await ask(server, 'POST', '/webhooks', { body })
    expect(added).toMatchObject({ status: 201, body: { has_auth_token: false, auth_token: '' } })
  })

  it('include those of every organization', async () => {
    const server = await serveDesk({ scenario: twoOrganizations })
    const { webhooks } = (await ask(server, 'GET', '/webhooks')).body
    const urls = webhooks.map((webhook: { url: string }) => webhook.url)
    expect(urls).toEqual(['http://127.0.0.1:9/hook', 'http://127.0.0.1:9/rival'])
  })
})
