import { createSimulator, type OperationName } from 'agent-mailbox-sim'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import { assumptionsOf } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { operationNames } from '../../src/contract/operations.js'
import { jsonOf, openMailbox } from '../conformance/mailbox.js'
import { defaultRequests, defaultUpdates, sendFixed } from '../conformance/requests.js'
import { closed, createFaultsOf } from './answer-schemas.js'

const scenario = { scenario: 'orchard', identities: [{ handle: 'ida' }] }

it('with assumptions, the OpenAPI document has the fields and an example of an attachment', async () => {
  const sim = await createSimulator({ scenario })
  const attachments = [{ filename: 'plums.txt', text: 'Plums' }]
  await sim.mail.receive({ to: 'ida', from: 'per@shop.example', text: 'See below', attachments })
  for (const { name } of assumptionsOf('messages.attachment-entry')) {
    sim.assumptions.set({ 'messages.attachment-entry': name as never })
    const document = createOpenApi({
      version: '1',
      assumptions: sim.assumptions.current(),
      server: sim.baseUrl,
    })
    const {
      anyOf,
      required,
      properties = {},
      examples,
    } = document.components.schemas['AttachmentEntry'] ?? {}
    const answer = await getResponse(
      sim.handlers,
      new Request(`${sim.baseUrl}/api/v1/mail/messages?agent=ida`, {
        headers: { authorization: `Bearer ${sim.apiKey}` },
      }),
    )
    const shown = await answer?.json()
    const message = shown.messages.find(({ text }: { text: string }) => text.includes('See below'))
    const [entry] = message.attachments
    const fields = Object.keys(entry)
    expect([anyOf, Object.keys(properties), required]).toEqual([undefined, fields, fields])
    const like = (url: string) => url.replace(/att_.*/, 'att_…')
    const [example] = examples as [Record<string, string>]
    expect(Object.keys(example)).toEqual(fields)
    expect(like(example['url'] ?? example['download_url'] ?? '')).toBe(like(entry.url ?? entry.download_url))
    const faultsOf = createFaultsOf(closed(document))
    expect(faultsOf('messages.list', shown)).toEqual([])
    message.attachments = [example]
    expect(faultsOf('messages.list', shown)).toEqual([])
  }
})

it('with assumptions, the OpenAPI document has the fields of an error', async () => {
  const sim = await createSimulator({ scenario })
  for (const { name } of assumptionsOf('errors.body')) {
    sim.assumptions.set({ 'errors.body': name as never })
    const document = createOpenApi({ version: '1', assumptions: sim.assumptions.current() })
    const content: Readonly<Record<string, { schema: Record<string, unknown> }>> =
      document.components.responses.Error.content
    for (const path of ['identities/nobody', 'identities/ida?more=1', 'nothing']) {
      const answer = await getResponse(sim.handlers, new Request(`${sim.baseUrl}/api/v1/${path}`))
      const { schema = {} } = content[answer?.headers.get('content-type') ?? ''] ?? {}
      const fits = new Ajv2020().compile(schema)
      const shown = await answer?.json()
      expect([fits(shown), Object.keys(shown)], `${name}: ${path}`).toEqual([true, schema['required']])
    }
  }
})

/** Requests whose answers have few rows. */
const short = [...defaultRequests, ...defaultUpdates].filter(({ path, body = '' }) => {
  return body.length < 10_000 && /identities|webhooks|agent=(%40)?(eva|Night)|limit=\d\b/.test(path)
})

it.each(['default', 'worst-case', 'seed:1', 'seed:2', 'seed:3', 'seed:4'])(
  'the OpenAPI document fits every answer under %s',
  async (profile) => {
    const faultsOf = createFaultsOf(closed(createOpenApi({ version: '1.2.3' })))
    const mailbox = await openMailbox(profile)
    const seen = new Set<string>()
    for (const request of short) {
      const answer = await sendFixed(mailbox, request)
      const operation = mailbox.simulator.journal.exchanges().at(-1)?.operation as OperationName | null
      if (answer.status !== 200 || !operation) continue
      const body = jsonOf<object>(answer)
      expect(faultsOf(operation, body), request.name).toEqual([])
      if (!seen.has(operation)) expect(faultsOf(operation, { ...body, more: null })).not.toEqual([])
      seen.add(operation)
    }
    expect([...seen].toSorted()).toEqual(operationNames.toSorted())
  },
)
