import { expect, it } from 'vitest'
import { parseTrace } from './relied.js'

const line = (fields: object) => `${JSON.stringify(fields)}\n`
const total = { gap: 'threads.total', operation: 'threads.list' }

it('merges the lines of several simulators by gap', () => {
  const text = [
    { ...total, assumption: 'all-matches', instead: ['all-threads'] },
    { ...total, gap: 'threads.order', assumption: 'created-asc', instead: ['unspecified'] },
    { ...total, assumption: 'page-size', instead: ['all-matches'] },
    { ...total, assumption: 'all-matches', instead: ['page-size', 'all-threads'], operation: null },
  ]
  expect([...parseTrace(text.map(line).join('')).values()]).toEqual([
    {
      gap: 'threads.order',
      assumptions: ['created-asc'],
      instead: ['unspecified'],
      same: ['last-message-desc', 'last-message-asc', 'created-desc'],
      fixed: false,
      pinned: false,
      operations: ['threads.list'],
    },
    {
      gap: 'threads.total',
      assumptions: ['all-matches', 'page-size'],
      instead: ['all-matches', 'page-size', 'all-threads'],
      same: [],
      fixed: false,
      pinned: false,
      operations: ['threads.list'],
    },
  ])
})

it('treats gaps that the command chose as fixed', () => {
  const own = { ...total, assumption: 'page-size', instead: ['all-matches'], from: 'options' }
  const free = { ...total, assumption: 'all-matches', instead: ['page-size'], from: 'default' }
  expect(parseTrace(line(own)).get('threads.total')).toMatchObject({ fixed: true, instead: [], same: [] })
  expect(parseTrace(line(own) + line(free)).get('threads.total')).toMatchObject({
    assumptions: ['all-matches', 'page-size'],
    same: ['all-threads'],
    fixed: false,
    instead: ['page-size'],
  })
  for (const from of ['scenario', 'scenario: worst-case', 'MAILBOX_SIM_ASSUME: seed:7']) {
    expect(parseTrace(line({ ...own, from })).get('threads.total')?.fixed).toBe(false)
  }
})

it('knows gaps whose assumptions the scenario names, rather than a profile or nobody', () => {
  const from = (...names: string[]) => {
    const text = names.map((name) =>
      line({ ...total, assumption: 'page-size', instead: ['all-matches'], from: name }),
    )
    return parseTrace(text.join('')).get('threads.total')?.pinned
  }
  expect([from('scenario'), from('scenario', 'options')]).toEqual([true, true])
  expect([from('scenario', 'default'), from('scenario: worst-case'), from('default')]).not.toContain(true)
})

it.each([
  ['an incomplete line', '{"gap":"threads.total","assumption":"all-mat'],
  ['other JSON', 'null\n7\n"x"\n[]\n{"gap":1}\n{"gap":"threads.total","assumption":"page-size"}'],
  ['a gap of another version', line({ gap: 'threads.colour', assumption: 'red', instead: ['blue'] })],
])('finds nothing in %s', (_, text) => {
  expect(parseTrace(text).size).toBe(0)
})
