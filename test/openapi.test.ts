import { gaps } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { assumptionsOf, defaultAssumptions, gapIds } from '../src/contract/gaps.js'
import type { GapNote } from '../src/contract/openapi/document.js'
import { createOpenApi } from '../src/contract/openapi.js'
import { operationNames } from '../src/contract/operations.js'
import { operationOf } from './openapi/answer-schemas.js'

const document = createOpenApi({ version: '1.2.3' })
const { components, webhooks } = document

interface Noted {
  readonly 'x-gaps'?: readonly GapNote[]
}

const idsOf = (noted: Noted) => (noted['x-gaps'] ?? []).map(({ id }) => id)

it('the OpenAPI document, without its gaps, is what the interface states', async () => {
  const text = JSON.stringify(document, (key, value) => (key === 'x-gaps' ? undefined : value), 2)
  await expect(`${text}\n`).toMatchFileSnapshot('openapi/document.json.snap')
})

it('with assumptions, the OpenAPI document names the filters of webhooks and the server', () => {
  const { paths, servers } = createOpenApi({ version: '1', assumptions: defaultAssumptions })
  expect(paths['/api/v1/webhooks']?.get?.parameters.map(({ name, schema }) => [name, schema])).toEqual([
    ['agent', { type: 'string' }],
    ['event', { type: 'string' }],
  ])
  expect(servers[0]?.url).toBe('http://127.0.0.1:4280')
})

describe('the gaps of the OpenAPI document', () => {
  /** Returns the places of the document for a subject that a gap concerns. */
  function placesOf(subject: string): Noted[] {
    if (subject === 'events') return Object.values(webhooks).map(({ post }) => post)
    const operation = operationNames.find((name) => name === subject)
    if (operation) return [operationOf(document, operation)]
    const [schema = '', field = ''] = subject.split('.')
    return [components.schemas[schema]?.properties?.[field] ?? {}]
  }

  it('are noted at what they concern, and nowhere else', () => {
    const places = new Set(gapIds.flatMap((id) => gaps[id].concerns))
    for (const place of places) {
      const concerning = gapIds.filter((id) => gaps[id].concerns.includes(place))
      for (const noted of placesOf(place)) expect(idsOf(noted), place).toEqual(concerning)
    }
    const noted = JSON.stringify(document).split('"x-gaps"').length - 1
    expect(noted).toBe([...places].flatMap(placesOf).length)
  })

  it('are noted with their text in the register, and with the assumption in force if one is', () => {
    const noteIn = ({ paths }: typeof document) =>
      operationOf({ paths }, 'threads.list')['x-gaps']?.find(({ id }) => id === 'threads.total')
    const note = {
      id: 'threads.total',
      question: gaps['threads.total'].question,
      assumptions: assumptionsOf('threads.total').map(({ name, means }) => ({ name, means })),
      default: 'all-matches',
      part: '4.3',
    }
    expect(noteIn(document)).toEqual(note)
    const assumptions = { ...defaultAssumptions, 'threads.total': 'page-size' } as const
    expect(noteIn(createOpenApi({ version: '1', assumptions }))).toEqual({ ...note, assumption: 'page-size' })
  })
})
