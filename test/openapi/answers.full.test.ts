import { expect, it } from 'vitest'
import { createOpenApi } from '../../src/contract/openapi.js'
import { operationNames } from '../../src/contract/operations.js'
import { closed, createFaultsOf } from './answer-schemas.js'
import { answersUnder } from './answers.js'
import { kindsIn } from './kinds.js'

const document = createOpenApi({ version: '1.2.3' })
const seeds = Array.from({ length: 40 }, (_, index) => `seed:${index + 1}`)
const profiles = ['default', 'worst-case', ...seeds]

it('fits the OpenAPI document under every assumption', async () => {
  const faultsOf = createFaultsOf(closed(document))
  const errorTypes = Object.keys(document.components.responses['Error']?.content ?? {})
  const kinds = new Set<string>()
  for (const profile of profiles) {
    const answers = await answersUnder(profile)
    for (const { operation, asked, status, contentType, body } of answers) {
      const where = `${profile}: ${asked} gave ${JSON.stringify(body)}`
      if (status === 200) {
        expect(faultsOf(operation, body), where).toEqual([])
        expect(contentType, where).toBe('application/json')
        for (const kind of kindsIn(body)) kinds.add(kind)
      } else {
        expect(errorTypes, where).toContain(contentType)
        expect(JSON.stringify(body), where).toMatch(/^\{/)
      }
    }
    const answered = answers.filter(({ status }) => status === 200).map(({ operation }) => operation)
    expect(new Set(answered), profile).toEqual(new Set(operationNames))
  }
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'Identity.display_name null',
      'Identity.display_name empty',
      'Message.text absent',
      'Message.text null',
      'Message.text empty',
      'Message.html absent',
      'Message.html null',
      'Message.html empty',
      'Message.html string',
      'Message.headers absent',
      'Message.headers object',
      'Message.headers array',
      'Message.direction inbound',
      'Message.direction outbound',
      'Message.direction sent',
      'AttachmentEntry.url absent',
      'AttachmentEntry.url string',
      'AttachmentEntry.filename absent',
      'AttachmentEntry.content_id null',
      'AttachmentEntry.content_id string',
      'Webhook.agent_handle absent',
      'Webhook.agent_handle null',
      'Webhook.agent_handle empty',
      'Webhook.auth_token absent',
      'Webhook.auth_token null',
      'Webhook.auth_token empty',
      'Webhook.auth_token string',
    ]),
  )
})
