import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
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
    expect(await refusal(server, 'DELETE', '/identities/suport')).toMatch(
      /^404 not_found: There is no agent "suport".*did you mean "support"/,
    )
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

  it.each([
    [{ handle: 'support' }, /^409 conflict: The handle "support" is taken/],
    [{ handle: 'eva', mailbox_address: 'Support@agents.example' }, /^409 conflict: The mailbox address/],
    [{ handle: 'eva', mailbox_address: 'eva' }, /^400 invalid: .*not an email address/s],
    [{ handle: '@eva' }, /^400 invalid_body: .*a handle has 1 to 64/s],
    [{ handle: '' }, /^400 invalid_body/],
    [{ handle: '..' }, /^400 invalid_body: .*clients remove from the path/s],
    [{}, /^400 invalid_body/],
    [{ handle: 'eva', agent_handle: 'eva' }, /^400 invalid_body: .*"agent_handle"/s],
    [{ handle: 'eva', organization_id: 'org_1' }, /^400 invalid_body/],
  ])('are not added by %j', async (body, message) => {
    const server = await serveDesk()
    const before = server.simulator.digest()
    expect(await refusal(server, 'POST', '/identities', { body })).toMatch(message)
    expect(server.simulator.digest()).toBe(before)
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
    expect(await refusal(server, 'DELETE', `/webhooks/${added.body.id}`)).toMatch(/^404 not_found/)
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

  it.each([
    [{ url: 'ftp://x.example', events: ['message.received'] }, /^400 invalid: .*expected an http\(s\) URL/s],
    [{ url: 'hook', events: ['message.received'] }, /^400 invalid: .*expected an http\(s\) URL/s],
    [{ url, events: [] }, /^400 invalid_body/],
    [{ url, events: ['message.recieved'] }, /events\[0\]: .*did you mean "message\.received"/],
    [{ url }, /^400 invalid_body/],
    [
      { url, events: ['message.received'], agent_handle: 'nobody' },
      /^404 not_found: There is no agent "nobody"/,
    ],
    [{ url, events: ['message.received'], auth_token: '' }, /^400 invalid_body/],
    [{ url, events: ['message.received'], token: 'x' }, /^400 invalid_body/],
  ])('are not added by %j', async (body, message) => {
    const server = await serveDesk()
    const before = server.simulator.digest()
    expect(await refusal(server, 'POST', '/webhooks', { body })).toMatch(message)
    expect(server.simulator.digest()).toBe(before)
  })
})
