import { describe, expect, it } from 'vitest'
import { parseMailboxList } from './address.js'
import { parseEml } from './parse-eml.js'
import { unknownSender } from './parsed-mail.js'
import { baseSubject, furtherReferences, type MailToThread, threadMails } from './threading.js'

/** A message from Ann to Support; its date is its position by default. */
interface Given {
  readonly id?: string
  readonly answers?: readonly string[]
  readonly references?: readonly string[]
  readonly subject?: string
  readonly from?: string
  readonly to?: string
  readonly cc?: string
  readonly date?: number
}

const support = 'support@agents.example'

function mailOf(given: Given, position: number): MailToThread {
  const people = [given.from ?? 'Ann <ann@shop.example>', given.to ?? support, given.cc ?? '']
  return {
    messageId: given.id ?? null,
    named: [...(given.references ?? []), ...(given.answers ?? []).toReversed()],
    subject: baseSubject(given.subject ?? `Subject ${position}`),
    people: people.flatMap(parseMailboxList).map(({ address }) => address.toLowerCase()),
    date: given.date ?? position,
  }
}

const threadsOf = (...mails: Given[]) => threadMails(mails.map(mailOf), support).map((thread) => thread.mails)

describe('messages that refer to each other', () => {
  it.each<[string, Given[]]>([
    ['by In-Reply-To', [{ id: '<1@x>' }, { answers: ['<1@x>'] }]],
    ['by any id of In-Reply-To', [{ id: '<1@x>' }, { answers: ['<0@x>', '<1@x>'] }]],
    ['by References', [{ id: '<1@x>' }, { references: ['<0@x>', '<1@x>', '<2@x>'] }]],
    ['through a missing message', [{ references: ['<0@x>'] }, { answers: ['<0@x>'] }]],
    ['in reverse order', [{ answers: ['<1@x>'] }, { id: '<1@x>' }]],
    ['by the same Message-ID', [{ id: '<1@x>' }, { id: '<1@x>' }]],
  ])('belong together %s', (_, mails) => {
    expect(threadsOf(...mails)).toEqual([[0, 1]])
  })

  it('join the thread of the nearest', () => {
    const mails = [
      { id: '<1@x>' },
      { id: '<2@x>', from: 'bea@hotel.example' },
      { id: '<3@x>' },
      { references: ['<1@x>'], answers: ['<2@x>'] },
    ]
    expect(threadsOf(...mails)).toEqual([[0], [1, 3], [2]])
  })

  it('do not treat an address as a message id', () => {
    const mails = [
      { id: '<1@x>', answers: ['<Support@agents.example>'] },
      { id: '<2@x>', answers: ['<Support@agents.example>', '<ann@shop.example>'] },
    ]
    expect(threadsOf(...mails)).toEqual([[0], [1]])
  })

  it('are sorted by date, replies last among equal dates', () => {
    const mails = [
      { id: '<3@x>', references: ['<1@x>', '<2@x>'], date: 5 },
      { id: '<2@x>', answers: ['<1@x>'], date: 5 },
      { id: '<1@x>', date: 5 },
      { id: '<0@x>', date: 9 },
      { answers: ['<1@x>'], date: 4 },
    ]
    expect(threadsOf(...mails)).toEqual([[4, 2, 1, 0], [3]])
  })

  it('have the same root before and after the first message arrives', () => {
    const answers: Given[] = [{ id: '<2@x>', references: ['<1@x>'] }, { answers: ['<2@x>', '<9@x>'] }]
    const rootsOf = (...mails: Given[]) => threadMails(mails.map(mailOf), support).map(({ root }) => root)
    expect(rootsOf(...answers)).toEqual(['<1@x>'])
    expect(rootsOf({ id: '<1@x>' }, ...answers)).toEqual(['<1@x>'])
    expect(rootsOf({}, { answers: ['<ann@shop.example>'] })).toEqual([undefined, undefined])
  })

  it('can form a chain of 12,000', () => {
    const chain = Array.from({ length: 12_000 }, (_, index) => {
      return mailOf({ id: `<${index}@x>`, answers: [`<${index + 1}@x>`] }, index)
    })
    const [thread, ...others] = threadMails(chain.toReversed(), support)
    expect(others).toEqual([])
    expect(thread?.mails).toHaveLength(12_000)
  })
})

describe('mail with a reply mark in its subject', () => {
  const lamp: Given = { subject: 'Broken lamp' }
  const answer: Given = { subject: 'AW: broken  LAMP' }

  it.each<[string, Given[]]>([
    ['of the same sender', [lamp, answer]],
    ['of its recipient', [lamp, { ...answer, from: support, to: 'ANN@shop.example' }]],
    [
      'of its Cc recipient',
      [
        { ...lamp, cc: 'bea@hotel.example' },
        { ...answer, from: 'bea@hotel.example' },
      ],
    ],
    ['that is forwarded', [lamp, { subject: 'Fwd: Broken lamp' }]],
    ['that has a mark as well', [{ subject: 'Re: Broken lamp' }, answer]],
    ['even if it refers to a missing message', [lamp, { ...answer, references: ['<lost@x>'] }]],
    [
      'dated before it, in any order',
      [
        { ...answer, date: 9 },
        { ...lamp, date: 8 },
      ],
    ],
  ])('joins the message %s', (_, mails) => {
    expect(threadsOf(...mails).map((thread) => thread.length)).toEqual([2])
  })

  it.each<[string, Given[]]>([
    ['without a mark', [lamp, lamp]],
    ['with another subject', [lamp, { subject: 'Re: Broken lamps' }]],
    ['with other participants', [lamp, { ...answer, from: 'bea@hotel.example', cc: support }]],
    [
      'with unknown senders',
      [
        { ...lamp, from: unknownSender.address },
        { ...answer, from: unknownSender.address },
      ],
    ],
    [
      'dated before the message it could reply to',
      [
        { ...lamp, date: 9 },
        { ...answer, date: 8 },
      ],
    ],
    ['with an empty base subject', [{ subject: '' }, { subject: 'Re:' }]],
  ])('starts a new thread %s', (_, mails) => {
    expect(threadsOf(...mails)).toHaveLength(2)
  })

  it('joins the latest thread of that subject together with connected messages', () => {
    const mails = [
      { ...lamp, id: '<1@x>' },
      { ...lamp, id: '<2@x>' },
      { ...answer, id: '<3@x>' },
      { subject: 'Another lamp', references: ['<3@x>'] },
      { ...answer, references: ['<1@x>'] },
      answer,
    ]
    expect(threadsOf(...mails)).toEqual([
      [0, 4, 5],
      [1, 2, 3],
    ])
  })
})

it('returns the further ids of a message, closest last', async () => {
  const mail = await parseEml('References: <1@x> <2@x>\r\nIn-Reply-To: <3@x> <4@x> <5@x>\r\n\r\n')
  expect(mail.inReplyTo).toBe('<3@x>')
  expect(furtherReferences(mail)).toEqual(['<1@x>', '<2@x>', '<5@x>', '<4@x>'])
})

describe('baseSubject', () => {
  it('removes the marks of replies and forwarded messages', () => {
    const subjects =
      'Re: Broken lamp|RE: broken LAMP|Re : Broken lamp|re:Broken lamp|Re:\t Broken   lamp |' +
      'Re[2]: Broken lamp|RE(3): Broken lamp|Re^2: Broken lamp|Re2: Broken lamp|Fwd: Broken lamp|' +
      'FW: Broken lamp|AW: Broken lamp|Antwort: Broken lamp|WG: AW: Broken lamp|Sv: Broken lamp|' +
      'Antw: Broken lamp|Rif: Broken lamp|R: Broken lamp|Odp: Broken lamp|YNT: Broken lamp|' +
      'Отв: Broken lamp|回复: Broken lamp|回复：Broken lamp|答复: Re: Broken lamp|返信: Broken lamp|' +
      'Réf : Broken lamp|Re\u0301f: Broken lamp|Broken lamp (fwd)|Re: Broken lamp (Fwd) (fwd)|' +
      '[Fwd: Broken lamp]|[Fwd: Re: Broken lamp (fwd)]|[lamps] Re: Broken lamp|' +
      'Re: [lamps] Broken lamp|Re: [lamps] [urgent] Aw: Broken lamp|' +
      '[lamps][urgent] Re [lamps]: Broken lamp'
    for (const subject of subjects.split('|')) {
      expect(baseSubject(subject), subject).toEqual({ base: 'broken lamp', marked: true })
    }
  })

  it.each([
    ['Broken lamp', 'broken lamp'],
    ['[lamps] Broken lamp', 'broken lamp'],
    ['[lamps]', '[lamps]'],
    ['Regarding: the lamp', 'regarding: the lamp'],
    ['Return: the lamp', 'return: the lamp'],
    ['Lamp: re: lamp', 'lamp: re: lamp'],
    ['Report (fwd) of today', 'report (fwd) of today'],
    ['Re Broken lamp', 're broken lamp'],
    ['Order 4187', 'order 4187'],
    ['R2: results', 'r2: results'],
    ['', ''],
  ])('finds no mark in %s', (subject, base) => {
    expect(baseSubject(subject)).toEqual({ base, marked: false })
  })

  it.each(['Re:', 'Re: Fwd:', '[Fwd: ]', '(fwd)', 'AW: RE: '])('returns an empty base for %s', (subject) => {
    expect(baseSubject(subject)).toEqual({ base: '', marked: true })
  })

  it('uses the first 998 characters of long subjects', () => {
    for (const part of ['Re: ', '[a]', '[a] ', '(fwd)', '[fwd:', ' ', 're', '回复：']) {
      const { base } = baseSubject(part.repeat(400_000))
      expect(base.length).toBeLessThan(999)
    }
    expect(baseSubject(`Re: ${'x'.repeat(3000)}`).base).toBe('x'.repeat(994))
  })
})
