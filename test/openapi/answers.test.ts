import type { OperationName } from 'agent-mailbox-sim'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultReadings } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { operationNames } from '../../src/contract/operations.js'
import { profileReadings } from '../../src/world/index.js'
import { closed, createFaultsOf } from './answer-schemas.js'
import { answersUnder, type OperationAnswer } from './answers.js'
import { wrongAnswers } from './wrong-answers.js'

const document = createOpenApi({ version: '1.2.3' })

describe('the OpenAPI document', () => {
  it.each(['default', 'worst-case', 'seed:1', 'seed:2', 'seed:3', 'seed:4'])(
    'fits every answer under %s with known readings',
    async (profile) => {
      const readings = profileReadings(profile)
      const faultsOf = createFaultsOf(closed(createOpenApi({ version: '1.2.3', readings })))
      for (const { operation, asked, status, body } of await answersUnder(profile)) {
        if (status === 200) expect(faultsOf(operation, body), `${asked} ${JSON.stringify(body)}`).toEqual([])
      }
    },
  )

  it('is typed for generators under the default readings', () => {
    const { components, paths, servers } = createOpenApi({ version: '1', readings: defaultReadings })
    const { Identity, Message, Webhook, AttachmentEntry } = components.schemas
    expect(Identity?.properties?.['display_name']?.type).toBe('string')
    expect(Message?.required).toEqual(expect.arrayContaining(['text', 'html']))
    expect(Message?.properties).not.toHaveProperty('headers')
    expect(Webhook?.properties?.['agent_handle']?.type).toEqual(['string', 'null'])
    expect(Webhook).not.toHaveProperty('if')
    expect(AttachmentEntry).not.toHaveProperty('anyOf')
    expect(AttachmentEntry?.required).toContain('url')
    expect(paths['/api/v1/webhooks']?.get?.parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['agent', { type: 'string' }],
      ['event', { type: 'string' }],
    ])
    expect(servers[0]?.url).toBe('http://127.0.0.1:4280')
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

  it('no valid answer, even with additional fields', () => {
    for (const operation of operationNames) {
      expect(faultsOf(operation, changed(goodAnswer(operation), {}, {}))).toEqual([])
      expect(faultsOf(operation, changed(goodAnswer(operation), { more: 1 }, { more: [null] }))).toEqual([])
    }
  })

  it('every invalid answer', () => {
    for (const { operation, what, list = {}, row = {} } of wrongAnswers) {
      const faults = faultsOf(operation, changed(goodAnswer(operation), list, row))
      expect(faults, `${operation}: ${what}`).not.toEqual([])
    }
  })

  it('unlisted fields if it is closed', () => {
    const closedFaultsOf = createFaultsOf(closed(document))
    for (const operation of operationNames) {
      const more = changed(goodAnswer(operation), {}, { more: null })
      expect(closedFaultsOf(operation, more)).not.toEqual([])
    }
  })

  it('everything but objects', () => {
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
