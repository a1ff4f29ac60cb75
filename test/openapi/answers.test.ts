import type { OperationName } from 'agent-mailbox-sim'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOpenApi } from '../../src/contract/openapi.js'
import { operationNames } from '../../src/contract/operations.js'
import { closed, createFaultsOf } from './answer-schemas.js'
import { answersUnder, type OperationAnswer } from './answers.js'
import { kindsIn } from './kinds.js'
import { wrongAnswers } from './wrong-answers.js'

const document = createOpenApi({ version: '1.2.3' })
const seeds = Array.from({ length: 40 }, (_, index) => `seed:${index + 1}`)
const profiles = ['default', 'worst-case', ...seeds]

describe('every answer of the simulator fits the OpenAPI document', () => {
  const faultsOf = createFaultsOf(closed(document))
  const errorTypes = Object.keys(document.components.responses['Error']?.content ?? {})
  const kinds = new Set<string>()

  it.each(profiles)('under %s', async (profile) => {
    const answers = await answersUnder(profile)
    for (const { operation, asked, status, contentType, body } of answers) {
      if (status === 200) {
        expect(faultsOf(operation, body), `${asked} gave ${JSON.stringify(body)}`).toEqual([])
        expect(contentType).toBe('application/json')
        for (const kind of kindsIn(body)) kinds.add(kind)
      } else {
        expect(errorTypes).toContain(contentType)
        expect(JSON.stringify(body), asked).toMatch(/^\{/)
      }
    }
    const answered = answers.filter(({ status }) => status === 200).map(({ operation }) => operation)
    expect(new Set(answered)).toEqual(new Set(operationNames))
  })

  it('and the answers were of every kind a reading can give', () => {
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
})

describe('the OpenAPI document refuses', () => {
  const faultsOf = createFaultsOf(document)
  let answers: readonly OperationAnswer[] = []

  beforeAll(async () => {
    answers = await answersUnder('default')
  })

  const goodAnswer = (operation: OperationName) =>
    answers.find((answer) => answer.operation === operation && answer.status === 200)?.body

  it('no answer that is right, nor one that tells more', () => {
    for (const operation of operationNames) {
      expect(faultsOf(operation, changed(goodAnswer(operation), {}, {}))).toEqual([])
      expect(faultsOf(operation, changed(goodAnswer(operation), { more: 1 }, { more: [null] }))).toEqual([])
    }
  })

  it.each(wrongAnswers)('$operation: $what', ({ operation, list = {}, row = {} }) => {
    expect(faultsOf(operation, changed(goodAnswer(operation), list, row))).not.toEqual([])
  })

  it('what it does not list, once it is closed', () => {
    const closedFaultsOf = createFaultsOf(closed(document))
    for (const operation of operationNames) {
      const more = changed(goodAnswer(operation), {}, { more: null })
      expect(closedFaultsOf(operation, more)).not.toEqual([])
    }
  })

  it('everything that is no object', () => {
    for (const operation of operationNames) {
      for (const answer of [null, [], 'ok', 200, {}, { data: goodAnswer(operation) }]) {
        expect(faultsOf(operation, answer)).not.toEqual([])
      }
    }
  })
})

/** An answer with fields changed: of a list, also those of its first row; undefined leaves a field out. */
function changed(answer: unknown, list: object, row: object): unknown {
  const copy = JSON.parse(JSON.stringify(answer))
  const rows: object[] | undefined = copy.threads ?? copy.messages ?? copy.webhooks
  Object.assign(rows?.[0] ?? copy, row)
  Object.assign(copy, list)
  return JSON.parse(JSON.stringify(copy))
}
