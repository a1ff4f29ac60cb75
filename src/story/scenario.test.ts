import { describe, expect, it } from 'vitest'
import { MailboxStore } from '../service/model/mailbox-store.js'
import type { ModelName } from '../service/model/rows.js'
import type { InitialState } from '../service/world/state.js'
import type { ScenarioInput } from './format/scenario.js'
import { loadScenario } from './load.js'
import type { ScenarioError } from './read/problem.js'

const models: ModelName[] = ['organization', 'identity', 'thread', 'message', 'attachment', 'webhook']

/** Returns every row of a scenario, and every body, by id. */
function contentsOf({ base }: InitialState): Map<string, string> {
  const store = new MailboxStore(base)
  const contents = new Map<string, string>()
  for (const model of models) {
    for (const row of store.all(model)) {
      contents.set(row.id, JSON.stringify({ ...row, ordinal: undefined, body_key: undefined }))
    }
  }
  for (const message of store.all('message')) {
    const { text, html } = store.bodyOf(message)
    contents.set(`${message.id} body`, JSON.stringify({ text, html }))
  }
  return contents
}

const desk: ScenarioInput = {
  scenario: 'desk',
  seed: 3,
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'refund',
          subject: 'Refund for order {{string.numeric(6)}}',
          messages: [
            { at: '-2d', from: '{{person.fullName}} <{{internet.email}}>', text: '{{lorem.paragraph}}' },
            { at: '-1d', direction: 'outbound', text: 'We are looking into it.' },
          ],
        },
        { subject: 'About {{commerce.product}}', messages: [{ at: '-3h', text: 'Hello' }] },
      ],
      generate: { threads: 20, messages: [1, 5], attachments: 0.5 },
    },
    { handle: 'sales', generate: { threads: 5 } },
  ],
}

describe('a scenario', () => {
  it('keeps its generated values when something is added in front', async () => {
    const before = contentsOf(await loadScenario(desk))
    const [support, sales] = desk.identities as [NonNullable<ScenarioInput['identities']>[0], never]
    const newThread = { subject: 'New {{string.numeric(6)}}', messages: [{ at: '-9d', text: 'First' }] }
    const [refund, product] = support.threads as [typeof newThread, typeof newThread]
    const followUp = { at: '-2h', text: 'Any news?' }
    const longer = {
      ...desk,
      identities: [
        { handle: 'newcomer', generate: { threads: 3 } },
        sales,
        {
          ...support,
          threads: [newThread, product, { ...refund, messages: [...refund.messages, followUp] }],
        },
      ],
    }
    const after = contentsOf(await loadScenario(longer))
    const changed = [...before].filter(([id, value]) => after.get(id) !== value).map(([id]) => id.slice(0, 4))
    expect(changed).toEqual(['thrd'])
    expect(after.size).toBeGreaterThan(before.size)
  })

  it('fills in templates, relative times and omitted fields', async () => {
    const { base, start } = await loadScenario(desk)
    const store = new MailboxStore(base)
    const [thread] = [...store.all('thread')].filter(({ subject }) =>
      /^Refund for order \d{6}$/.test(subject),
    )
    const ids = store.messages(thread?.id ?? '').page({ order: 'created', offset: 0, limit: 10 })
    const [question, answer] = store.rows('message', ids)
    expect(question).toMatchObject({
      direction: 'inbound',
      to: ['support@agents.example'],
      created_at: start - 172_800_000,
    })
    expect(question?.from).toMatch(/^\S.* <\S+@\S+>$/)
    expect(question?.text).toMatch(/^\w{3,}/)
    expect(answer).toMatchObject({ direction: 'outbound', from: 'support <support@agents.example>' })
    expect(answer?.subject).toBe(`Re: ${thread?.subject}`)
    expect(question?.from).toContain(`<${answer?.to[0]}>`)
    expect(thread).toMatchObject({ message_count: 2, last_message_at: start - 86_400_000, unread: true })
  })

  it('takes the default subject from the first message of a thread', async () => {
    const messages = [{ subject: 'Lamp', text: 'Broken' }, { text: 'Still broken' }]
    const { base } = await loadScenario({
      scenario: 'subjects',
      identities: [{ handle: 'support', threads: [{ messages }] }],
    })
    const store = new MailboxStore(base)
    expect([...store.all('thread')].map(({ subject }) => subject)).toEqual(['Lamp'])
    expect([...store.all('message')].map(({ subject }) => subject)).toEqual(['Lamp', 'Re: Lamp'])
  })

  it('generates threads whose facts follow from their messages', async () => {
    const store = new MailboxStore((await loadScenario(desk)).base)
    for (const thread of store.all('thread')) {
      const messages = [...store.all('message')].filter(({ thread_id }) => thread_id === thread.id)
      expect(thread.message_count).toBe(messages.length)
      expect(thread.last_message_at).toBe(Math.max(...messages.map(({ created_at }) => created_at)))
    }
    expect([...store.all('attachment')].length).toBeGreaterThan(0)
  })
})

describe('secrets', () => {
  const withSecrets: ScenarioInput = {
    scenario: 'desk',
    seed: 3,
    secrets: { refund_code: '{{string.alphanumeric(12)}}', pin: 'P-{{secret.refund_code}}' },
    identities: [
      {
        handle: 'support',
        description: 'Never passes on {{secret.refund_code}}.',
        threads: [{ messages: [{ text: 'Use {{ secret.refund_code }} by {{date.weekday}}.' }] }],
      },
    ],
    timeline: [{ after: '1m', receive: { to: 'support', text: 'It was {{secret.pin}}.' } }],
  }

  it('have their values in every template', async () => {
    const { secrets = {}, base, timeline } = await loadScenario(withSecrets)
    const { refund_code: code } = secrets
    expect(code).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(secrets['pin']).toBe(`P-${code}`)
    const store = new MailboxStore(base)
    const [identity] = store.all('identity')
    const [message] = store.all('message')
    expect(identity?.description).toBe(`Never passes on ${code}.`)
    expect(message && store.bodyOf(message).text).toMatch(new RegExp(`^Use ${code} by \\w+day\\.$`))
    expect(JSON.stringify(timeline)).toContain(`It was P-${code}.`)
    expect((await loadScenario({ ...withSecrets, seed: 4 })).secrets).not.toEqual(secrets)
  })

  it('are refused with a place if they are too short or unknown', async () => {
    const problemsWith = async (secrets: Record<string, string>) => {
      const error = await loadScenario({ ...withSecrets, secrets }).catch((thrown) => thrown)
      return error.problems.map(({ key, message }: ScenarioError['problems'][number]) => `${key}: ${message}`)
    }
    expect(await problemsWith({ pin: '12-34' })).toEqual([
      expect.stringMatching(/^secrets\.pin: a secret has at least 6 letters and digits/),
    ])
    expect(await problemsWith({ pin: '123-456' })).toEqual([
      expect.stringMatching(/description: there is no secret "refund_code"/),
      expect.stringMatching(/text: there is no secret "refund_code"/),
    ])
  })
})
