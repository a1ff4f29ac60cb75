import { createSimulator, ScenarioError } from 'agent-mailbox-sim'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../src/story/load.js'
import { folderOf } from './support/temporary-folder.js'

/** Why a scenario is refused. */
async function refusalOf(scenario: object): Promise<ScenarioError> {
  const error: unknown = await loadScenario({ scenario: 'inbox', ...scenario } as never).catch(
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(ScenarioError)
  return error as ScenarioError
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

const withText = (text: string): object => ({
  identities: [{ handle: 'eva', threads: [{ messages: [{ from: 'Ann <ann@mailbox.example>', text }] }] }],
})

const tooMuch = [
  '{{string.alpha(1000000000)}}',
  '{{string.alpha({"length":{"min":1,"max":"4000000000"} })}}',
  '{{string.fromCharacters("a",1e999)}}',
  '{{string.fromCharacters(["a"],{"max":["4000000000"]})}}',
  '{{helpers.fromRegExp("[a-z]{1000000000}")}}',
  '{{lorem.paragraphs(9999)}}',
  '{{date.betweens({"from":"2020-01-01","to":"2021-01-01","count":100000000})}}',
  '{{helpers.arrayElements([1,2],1e9)}}{{helpers.rangeToNumber(1e9)}}',
  '{{helpers.fake("\\u007b\\u007bstring.alpha(1000000000)\\u007d\\u007d")}}',
  `{{lorem.word(${'x'.repeat(20_000)})}}`,
  '{{lorem.paragraphs(900)}} '.repeat(20),
]

describe('a template above the limits', () => {
  it('is refused with its place', async () => {
    for (const text of tooMuch) {
      const { problems } = await refusalOf(withText(text))
      expect(problems[0]?.key, text).toBe('identities[0].threads[0].messages[0].text')
      expect(problems[0]?.message, text).toMatch(/may be up to|may take up to|may have up to|JSON/)
    }
  })

  it('is refused for too many random values', async () => {
    const { problems } = await refusalOf(withText('{{string.alpha(5000)}} '.repeat(30)))
    expect(problems[0]?.message).toContain('100,000 random values')
  })

  it('is refused by a server that keeps running', async () => {
    const server = await startServer({ scenario: 'empty', port: 0 })
    const scenario = { scenario: 'x', ...withText('{{string.alpha(1000000000)}}') }
    const answer = await fetch(`${server.controlUrl}/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('asks for 1,000,000,000; a count or length may be up to 10,000')
    expect((await fetch(`${server.controlUrl}/health`)).status).toBe(200)
    await server.close()
  })

  it('may contain large numbers as values', async () => {
    const text = [
      '{{number.int({"min":100000,"max":200000})}} {{finance.amount({"min":50000,"max":90000})}}',
      '{{helpers.arrayElement([20000,30000])}} {{date.recent({"refDate":1700000000000})}} {{string.alpha(9999)}}',
    ].join(' ')
    const sim = await createSimulator({ scenario: { scenario: 'inbox', ...withText(text) } as never })
    expect(sim.summary().messages).toBe(1)
    sim.close()
  })
})

describe('a long list in a scenario', () => {
  const messages = (count: number) =>
    names('m', count).map((key) => ({ key, from: 'a@b.example', text: key }))
  const threads = (count: number) => [{ key: 'long', messages: messages(count) }]

  it('is read completely', async () => {
    const identities = [
      { handle: 'eva', threads: threads(1_100) },
      ...names('a', 1_100).map((handle) => ({ handle })),
    ]
    const { base, expectations } = await loadScenario({
      scenario: 'inbox',
      identities,
      expect: [{ key: 'last', message: 'm1099', has: { text: 'm1099' } }],
    } as never)
    expect([base.database.count('message'), base.database.count('identity')]).toEqual([1_100, 1_101])
    expect(expectations).toMatchObject([{ key: 'last' }])
  })

  it('is refused for late problems', async () => {
    const wrong = threads(1_100)
    Object.assign(wrong[0]?.messages[1_050] as object, { frm: 'x', text: 7 })
    const { problems } = await refusalOf({ identities: [{ handle: 'eva', threads: wrong }], expect: [{}] })
    expect(problems.map(({ key }) => key)).toEqual([
      'identities[0].threads[0].messages[1050].text',
      'identities[0].threads[0].messages[1050].frm',
      'expect[0]',
    ])
  })

  it('is refused if it is too long', async () => {
    const request = { request: 'threads.list' }
    const { problems } = await refusalOf({ expect: [...Array(1_000).fill(request), {}] })
    expect(problems).toEqual([
      { key: 'expect', message: 'expected at most 1,000 entries, found a list of 1001' },
    ])
  })
})

describe('a scenario with many problems', () => {
  it('is refused with the first problems and the number of others', async () => {
    const mistakes: [object, number][] = [
      [Object.fromEntries(names('zzz', 1_100).map((name) => [name, 1])), 1_100],
      [
        {
          identities: [
            {
              handle: 'eva',
              threads: names('t', 300).map((key) => ({ key, messages: [{ from: 'a@b.c' }] })),
            },
          ],
          timeline: names('thread', 300).map((thread) => ({ after: '1s', read: { thread } })),
        },
        300,
      ],
      [{ timeline: names('after', 300).map((name) => ({ [name]: '1s', clear_faults: 1 })) }, 600],
    ]
    for (const [scenario, count] of mistakes) {
      const { problems, message, further } = await refusalOf(scenario)
      expect([problems.length, further]).toEqual([20, count - 20])
      const more = (count - 20).toLocaleString('en')
      expect(message.split('\n').slice(20)).toEqual([`inbox: and ${more} more`])
    }
  })

  it('is refused with places in a file', async () => {
    const text = `scenario: x\n${Array.from({ length: 1_100 }, (_, index) => `key${index}: {a: 1`).join('}\n')}}\n`
    const folder = await folderOf({ 'x.yaml': text })
    const error: unknown = await loadScenario(`${folder}/x.yaml`).catch((thrown) => thrown)
    expect(String(error)).toContain('x.yaml:2:1: key0: unknown key')
    expect(String(error)).toContain('x.yaml: and 1,080 more')
  })
})

describe('a very long value', () => {
  it('is shortened in messages', async () => {
    const long = 'a:'.repeat(100_000)
    const messages = [{ from: long }, { from: 'a@b.c', to: long }]
    for (const wrong of [
      { assume: { [long]: 'x', 'threads.total': long } },
      { identities: [{ handle: 'eva', threads: [{ messages }] }] },
    ]) {
      const { message } = await refusalOf(wrong)
      expect(message.split('\n')).toHaveLength(2)
      for (const line of message.split('\n')) expect(line.length).toBeLessThan(500)
    }
  })
})
