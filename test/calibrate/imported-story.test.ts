import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { importing } from './importing.js'
import { instanceOf } from './instance.js'

const message = { from: 'Ann <ann@mail.example>', text: 'Hello', at: '-1h', attachments: ['invoice.pdf'] }
const identities = [
  { handle: 'support', mailbox_address: 'help@agents.example', threads: [{ messages: [message] }] },
  { handle: 'sales' },
]

/** Imports a desk, and adds lines to its scenario; `change` changes its rows. Returns the path of the scenario. */
async function deskWith(added: string, change = (rows: string) => rows): Promise<string> {
  const out = await folderOf()
  const live = await instanceOf({ scenario: 'desk', identities }, 'default', 'test-key')
  const { scenario } = await importing(live, { out, keepPrivate: true })
  await writeFile(scenario, `${await readFile(scenario, 'utf8')}\n${added}`)
  const rows = join(out, 'rows.jsonl')
  await writeFile(rows, change(await readFile(rows, 'utf8')))
  return scenario
}

const run = programInProcess()

/** Returns what `scenarios check` says of a scenario, without its folder. */
async function checked(path: string): Promise<string> {
  const { stdout, stderr } = await run('scenarios', 'check', path).outcome
  return `${stdout}${stderr}`.replaceAll(path.replace(/[^/]*$/, ''), '').trim()
}

describe('the agents of imported rows', () => {
  it('are known to timeline, expectations, faults and webhooks', async () => {
    const story = `
webhooks: [{ url: 'http://127.0.0.1:9/hook', events: [message.received], agent_handle: support }]
timeline:
  - { after: 1s, receive: { to: support, thread: new, subject: News, from: Bo <bo@mail.example>, text: Any news? } }
  - { after: 2s, receive: { to: help@agents.example, thread: new, key: more, from: Bo <bo@mail.example>, text: And now? } }
  - { after: 3s, send: { from: sales, to: [bo@mail.example], subject: Offer, text: An offer } }
  - { after: 4s, fault: { operation: identities.get, handle: sales, status: 503 } }
expect:
  - { thread: new, identity: support, has: { message_count: 2, unread: true } }
  - { delivery: message.received, times: 2 }
  - { request: threads.list, where: { query: { agent: support } }, times: 0 }
`
    const { status, stdout, stderr } = await run('replay', await deskWith(story), '--grace', '0s').outcome
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: expect.any(String) })
    expect(
      await checked(await deskWith(story.replaceAll('agent_handle: support', 'agent_handle: suport'))),
    ).toContain(
      'webhooks[0].agent_handle: there is no identity with the handle "suport"; did you mean "support"?',
    )
  })

  it('refuses an identity with the handle or the address of an imported agent', async () => {
    const written =
      'identities: [{ handle: support }, { handle: help, mailbox_address: HELP@agents.example }]'
    const said = await checked(await deskWith(written))
    const remedy =
      'is taken by an agent of "rows", which timeline, expect and webhooks find; leave this identity out'
    expect(said).toContain(`identities[0].handle: the handle "support" ${remedy}`)
    expect(said).toContain(`identities[1].mailbox_address: the address "HELP@agents.example" ${remedy}`)
  })

  it('names the line of a row that does not fit the others', async () => {
    const cases: readonly (readonly [(rows: string) => string, string])[] = [
      [(rows) => `${rows}{`, 'rows.jsonl:6:1: this line is not JSON'],
      [(rows) => `${rows}{"model":"mail"}`, 'rows.jsonl:6:1: model: expected one of identity, thread'],
      [(rows) => rows + rows, 'rows.jsonl:6:1: identity.id: "ident_'],
      [
        (rows) => rows.replace('"sales"', '"support"'),
        'rows.jsonl:2:1: identity.agent_handle: "support" is that of line 1',
      ],
      [
        (rows) => rows.replace(/^.*"model":"identity".*\n/, ''),
        'rows.jsonl:2:1: thread.identity_id: there is no identity',
      ],
      [
        (rows) => rows.replace(/^.*"model":"attachment".*\n/m, ''),
        'message.attachment_ids: there is no attachment',
      ],
    ]
    for (const [change, expected] of cases) {
      const said = await checked(await deskWith('timeline: [{ after: 1s, read: { thread: x } }]', change))
      expect(said, expected).toContain(expected)
    }
  })
})
