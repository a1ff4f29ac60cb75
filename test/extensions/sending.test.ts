import { describe, expect, it } from 'vitest'
import common from '../../extensions/common.js'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { SimulatorOptions } from '../../src/doors/simulator/options.js'
import { parseEml } from '../../src/mail/parse-eml.js'
import { askHandlers } from '../support/ask-handlers.js'

const eva = 'eva@agents.example'

const desk = {
  scenario: { scenario: 'desk', identities: [{ handle: 'eva', display_name: 'Eva' }, { handle: 'max' }] },
  extend: [common],
}

async function open(options: SimulatorOptions = {}) {
  const sim = await createSimulator({ ...desk, ...options })
  const ask = (path: string, body: unknown) => askHandlers(sim, 'POST', `/mail/messages${path}`, body)
  /** Returns the fields of a message as its file has them. */
  const read = (id: string) => {
    const mail = parseEml(sim.mailbox.source(id))
    const named = new Map(mail.headers.map(([name, value]) => [name.toLowerCase(), value]))
    const { subject, text, html, attachments } = mail
    const files = attachments.map(({ filename, content }) => `${filename} ${content}`)
    const fields = ['to', 'cc', 'bcc', 'reply-to', 'in-reply-to', 'references'] as const
    const shown = fields.flatMap((name) => (named.has(name) ? [[name, named.get(name)]] : []))
    return { ...Object.fromEntries(shown), subject, text, html, files, named }
  }
  return { sim, ask, read }
}

/** Returns a mail that came in. */
const received = (...fields: string[]) =>
  [
    'From: Ann <ann@shop.example>',
    `To: ${eva}`,
    'Subject: Lamp',
    'Message-ID: <1@x>',
    ...fields,
    '',
    'Hi',
  ].join('\r\n')

const others = 'Cc: Bo <bo@example.com>, EVA@agents.example, ann@SHOP.example, bo@example.com'

describe('an answer', () => {
  it.each([
    ['reply', [], {}, { to: 'ann@shop.example' }],
    [
      'reply',
      ['Reply-To: Desk <desk@shop.example>, ann2@shop.example', others],
      {},
      { to: 'desk@shop.example, ann2@shop.example' },
    ],
    [
      'reply',
      [],
      { to: 'cy@example.com', cc: ['Di <di@example.com>'] },
      { to: 'cy@example.com', cc: 'Di <di@example.com>' },
    ],
    ['reply-all', [], {}, { to: 'ann@shop.example' }],
    ['reply-all', [others], {}, { to: 'ann@shop.example', cc: 'bo@example.com' }],
    [
      'reply-all',
      ['Reply-To: desk@shop.example', others],
      {},
      { to: 'desk@shop.example', cc: 'bo@example.com, ann@SHOP.example' },
    ],
    [
      'reply-all',
      [others],
      { cc: 'di@example.com', bcc: 'audit@example.com' },
      { to: 'ann@shop.example', cc: 'di@example.com', bcc: 'audit@example.com' },
    ],
  ])('(%s) to mail with %j, given %j, goes to %j', async (operation, fields, body, goesTo) => {
    const { sim, ask, read } = await open()
    const { message } = await sim.mail.receive({ to: 'eva', eml: received(...fields) })
    const { status, body: answer } = await ask(`/${message.id}/${operation}`, { text: 'Yes', ...body })
    expect(status).toBe(201)
    const { named: _, ...shown } = read(answer.id)
    expect(shown).toEqual({
      ...{ subject: 'Re: Lamp', text: 'Yes', html: null, files: [] },
      ...{ 'in-reply-to': '<1@x>', references: '<1@x>', ...goesTo },
    })
    expect(answer.thread_id).toBe(message.thread_id)
  })

  it('to own mail goes to its recipients again, and marks the subject once', async () => {
    const { ask, read } = await open()
    const sent = {
      agent: 'eva',
      to: ['Ann <ann@shop.example>', eva],
      cc: 'bo@example.com',
      bcc: 'di@example.com',
    }
    const first = (await ask('', { ...sent, subject: 'Lamp', text: 'Hi' })).body
    const again = read((await ask(`/${first.id}/reply`, { text: 'So?' })).body.id)
    expect(again).toMatchObject({ to: `ann@shop.example, ${eva}`, subject: 'Re: Lamp' })
    const all = (await ask(`/${first.id}/reply-all`, {})).body.id
    expect(read(all)).toMatchObject({ to: 'ann@shop.example', cc: 'bo@example.com' })
    expect(read((await ask(`/${all}/reply-all`, {})).body.id).subject).toBe('Re: Lamp')
  })

  it('can be sent into a thread, or as the reply to a message', async () => {
    const { sim, ask, read } = await open()
    const { message } = await sim.mail.receive({ to: 'eva', eml: received() })
    const mail = { agent: 'eva', to: 'ann@shop.example', text: 'Yes', thread_id: message.thread_id }
    const fields = { subject: 'Re: Lamp', 'in-reply-to': '<1@x>', references: '<1@x>' }
    expect(read((await ask('', mail)).body.id)).toMatchObject(fields)
    const { thread_id, ...other } = mail
    for (const in_reply_to of [message.id, '<1@x>', `<${message.id}@agents.example>`]) {
      const { body } = await ask('', { ...other, in_reply_to })
      expect(body.thread_id).toBe(thread_id)
      expect(read(body.id)).toMatchObject(fields)
    }
  })

  it('quotes what it answers, if the assumption says so', async () => {
    const { sim, ask, read } = await open({ assume: { 'common.quoting': 'below' } })
    const original = { text: 'Is it <broken>?\n> It is.\n', html: '<p>Is it?</p>' }
    const { message } = await sim.mail.receive({ to: 'eva', from: 'Ann <ann@shop.example>', ...original })
    const said = 'On Mon, 05 Jan 2026 09:00:00 +0000, Ann <ann@shop.example> wrote:'
    const text = `Yes\n\n${said}\n> Is it <broken>?\n> > It is.`
    const plain = (await ask(`/${message.id}/reply`, { text: 'Yes' })).body
    expect(read(plain.id)).toMatchObject({ text, html: null })
    const both = (await ask(`/${message.id}/reply-all`, { text: 'Yes', html: '<p>Yes</p>' })).body
    expect(read(both.id)).toMatchObject({
      text,
      html: expect.stringMatching(/^<p>Yes<\/p>.*&#60;ann@.* wrote:\s*<blockquote><p>Is it\?<\/p>/s),
    })
    expect(sim.reliances().find(({ gap }) => gap === 'common.quoting')).toMatchObject({ count: 2 })
  })

  const nobody = ['MAILER-DAEMON <>', '<>', 'root (Cron Daemon)', '']
  it.each(nobody)('to mail from "%s" is refused', async (from) => {
    const { sim, ask } = await open()
    const { message } = await sim.mail.receive({ to: 'eva', eml: `From: ${from}\r\nTo: root\r\n\r\nNo` })
    expect(message).toMatchObject({
      from: expect.stringMatching(/^MAILER-DAEMON <>$|^<>$|^Cron Daemon <root>$|unknown@invalid/),
      to: ['root'],
    })
    const { status, body } = await ask(`/${message.id}/reply-all`, { text: 'Yes' })
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('has no sender who could be answered'),
    ])
  })
})

describe('forwarded mail', () => {
  it('has the header, the text and the files of the original below the comment, and answers nothing', async () => {
    const { sim, ask, read } = await open({ assume: { 'threads.forward': 'begins-a-thread' } })
    const file = { filename: 'a.txt', content: Buffer.from('hi').toString('base64') }
    const { message } = await sim.mail.receive({
      ...{ to: 'eva', from: 'Ann <ann@shop.example>', cc: 'bo@example.com', subject: 'Lamp' },
      ...{ text: 'It is <broken>.', attachments: [file] },
    })
    const own = { filename: 'b.txt', content: 'Yg==' }
    const forward = (body: object) => ask(`/${message.id}/forward`, { to: 'cy@example.com', ...body })
    const { body } = await forward({ text: 'Please look.', attachments: [own] })
    expect(body.thread_id).not.toBe(message.thread_id)
    const { named: _, ...shown } = read(body.id)
    const head = `---------- Forwarded message ----------
From: Ann <ann@shop.example>
Date: Mon, 05 Jan 2026 09:00:00 +0000
Subject: Lamp
To: ${eva}
Cc: bo@example.com`
    expect(shown).toEqual({
      ...{ to: 'cy@example.com', subject: 'Fwd: Lamp', html: null },
      text: `Please look.\n\n${head}\n\nIt is <broken>.`,
      files: ['b.txt Yg==', 'a.txt aGk='],
    })
    const html = read((await forward({ html: '<b>Look</b>' })).body.id)
    expect(html.text).toBe(`${head}\n\nIt is <broken>.`)
    expect(html.html).toMatch(
      /^<b>Look<\/b>.*From: Ann &#60;ann@shop.example&#62;<br>.*It is &#60;broken&#62;\.$/s,
    )
    const again = await ask(`/${body.id}/forward`, { to: 'di@example.com' })
    expect(again.body.subject).toBe('Fwd: Lamp')
  })

  it('has the words of an original that is HTML only in its text, too, as has a reply that quotes it', async () => {
    const { sim, ask, read } = await open({ assume: { 'common.quoting': 'below' } })
    const { message } = await sim.mail.receive({ to: 'eva', html: '<p>It is <b>R&amp;D</b></p>' })
    const forward = await ask(`/${message.id}/forward`, { to: 'cy@example.com', text: 'Please look.' })
    expect(read(forward.body.id).text).toMatch(/^Please look\..*\n\nIt is R&D$/s)
    const reply = await ask(`/${message.id}/reply`, { text: 'Yes' })
    expect(read(reply.body.id).text).toMatch(/^Yes.* wrote:\n> It is R&D$/s)
  })
})

describe('sent mail', () => {
  const mail = {
    ...{ agent: 'eva', to: 'Ann <ann@shop.example>', cc: ['bo@example.com', 'Cy <cy@example.com>'] },
    ...{
      bcc: 'audit@example.com',
      reply_to: 'help@example.com',
      subject: 'Lamp',
      text: 'Hi',
      html: '<p>Hi</p>',
    },
    attachments: { filename: 'a.bin', content_type: 'image/png', content: 'AP8=', content_id: 'logo' },
    headers: { 'X-Order': '249' },
  }

  it('has every field that was given', async () => {
    const { sim, ask, read } = await open()
    const { id } = (await ask('', mail)).body
    const { named, ...shown } = read(id)
    expect(shown).toEqual({
      ...{
        to: 'Ann <ann@shop.example>',
        cc: 'bo@example.com, Cy <cy@example.com>',
        bcc: 'audit@example.com',
      },
      ...{
        'reply-to': 'help@example.com',
        subject: 'Lamp',
        text: 'Hi',
        html: '<p>Hi</p>',
        files: ['a.bin AP8='],
      },
    })
    expect(named.get('x-order')).toBe('249')
    expect(sim.mail.get(id).to).toEqual(['ann@shop.example'])
  })

  it.each([
    [{ headers: { Sender: 'x' } }, '"headers" does not fit: only X-… can be set'],
    [{ headers: { 'X-ü': 'x' } }, '"headers" does not fit: only X-… can be set'],
    [
      { attachments: { filename: '', content: 'aGk=' } },
      '"attachments.filename" does not fit: expected a text that is not empty, found an empty text.',
    ],
    [
      { headers: { 'X-A': '1\r\nBcc: eve@x.example' } },
      '"headers.X-A" does not fit: expected one line, found',
    ],
    [{ cc: ['bo'] }, '"cc" does not fit: "bo" is not an email address.'],
    [{ to: 'a@b.example\r\nc@d.example' }, 'each address in one line'],
    [{ bcc: ['x@y.example', 'a@b.example\nBcc: c@d.example'] }, 'each address in one line'],
    [
      { to: [], cc: [], bcc: '' },
      '"to" does not fit: expected a recipient in "to", "cc" or "bcc", found an empty list.',
    ],
    [{ to: [{ email: 'bo@example.com' }] }, '"to.0" does not fit: expected text, found a map.'],
    [
      { to: 'Lee, Ann <ann@x.example>' },
      '"to" does not fit: "Lee, Ann <ann@x.example>" is not an email address.',
    ],
    [{ subject: 'a\r\nBcc: eve@x.example' }, '"subject" does not fit: expected one line, found'],
    [
      { attachments: [{ filename: 'a', content: '%' }] },
      '"attachments.0.content" does not fit: expected text in base64, found "%".',
    ],
  ])('is refused with %j', async (wrong, said) => {
    const { sim, ask } = await open()
    const { status, body } = await ask('', { ...mail, ...wrong })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(said)])
    expect(sim.threads.list()).toEqual([])
  })

  it.each([
    ['hidden', {}, { 'messages.headers': 'omitted' }],
    [
      'fields',
      {
        cc: ['bo@example.com', 'cy@example.com'],
        bcc: ['audit@example.com'],
        reply_to: ['help@example.com'],
      },
      { 'messages.headers': 'omitted' },
    ],
    [
      'headers',
      {
        headers: {
          cc: 'bo@example.com, cy@example.com',
          bcc: 'audit@example.com',
          'reply-to': 'help@example.com',
        },
      },
      { 'messages.headers': 'omitted' },
    ],
    ['headers', { headers: expect.objectContaining({ cc: mail.cc.join(', '), 'x-order': '249' }) }, {}],
  ] as const)('shows its recipients as the assumption %s says', async (assumption, fields, more) => {
    const { sim, ask } = await open({ assume: { 'common.recipient-fields': assumption, ...more } })
    const sent = (await ask('', mail)).body
    const { cc, bcc, reply_to, headers } = sent
    expect(JSON.parse(JSON.stringify({ cc, bcc, reply_to, headers }))).toEqual(fields)
    expect((await askHandlers(sim, 'GET', '/mail/messages')).body.messages).toEqual([sent])
    const gaps = sim.reliances().find(({ gap }) => gap === 'common.recipient-fields')
    expect(gaps?.operations).toEqual(expect.arrayContaining(['messages.list', 'messages.send']))
  })

  it('is listed with the message that it answers and the request that sent it', async () => {
    const { sim, ask } = await open({ assume: { 'common.idempotency': 'replayed' } })
    const { message: asked } = await sim.mail.receive({ to: 'eva', eml: received() })
    const { thread_id } = asked
    await sim.mail.send({ from: 'eva', to: ['bo@example.com'], subject: 'Of the story', text: 'Hi' })
    const key = { 'idempotency-key': '1' }
    await askHandlers(sim, 'POST', '/mail/messages', { ...mail, to: 'max@agents.example' }, key)
    await ask('/msg_none/reply', { text: 'Nobody gets this' })
    sim.faults.add({ operation: 'messages.reply', performed: true, status: 503, times: 1 })
    await ask(`/${asked.id}/reply`, { text: 'Its answer is lost' })
    await ask('', { ...mail, thread_id, subject: 'Within the thread' })
    await askHandlers(sim, 'POST', '/mail/messages', { ...mail, to: 'max@agents.example' }, key)
    const [first, , third, fourth] = sim.journal.exchanges().map(({ seq }) => seq)
    const shown = sim.sentBy().map(({ message: { subject }, ...sent }) => [subject, sent])
    expect(shown).toEqual([
      ['Lamp', { answered: null, operation: 'messages.send', exchange: first }],
      ['Re: Lamp', { answered: asked.id, operation: 'messages.reply', exchange: third }],
      ['Within the thread', { answered: null, operation: 'messages.send', exchange: fourth }],
    ])
    const entries = sim.journal.entries({ since: third })
    expect(sim.sentBy(entries).map(({ exchange }) => exchange)).toEqual([fourth])
    await sim.reset()
    expect(sim.sentBy()).toEqual([])
  })
})

describe('mail to agents of the organization', () => {
  const hook = 'http://agent.test/hook'
  const offices = {
    ...desk.scenario,
    bounces: ['gone@agents.example'],
    identities: [...desk.scenario.identities, { handle: 'gone' }],
    organizations: [{ name: 'Theirs', api_keys: ['their-key'], identities: [{ handle: 'rival' }] }],
    webhooks: [{ url: hook, events: ['message.received' as const] }],
  }
  const openOffices = async (options: SimulatorOptions = {}) => {
    const opened = await open({ scenario: offices, receiver: () => new Response(), ...options })
    /** Returns the messages of an agent's threads, the oldest first. */
    const mailOf = (agent: string) => {
      const { threads } = opened.sim.mailbox.threads({ agent })
      return threads.map(({ id }) => opened.sim.mailbox.conversation(id).messages)
    }
    return { ...opened, mailOf }
  }
  const header = ({ headers }: { headers: readonly { name: string; value: string }[] }, name: string) =>
    headers.find((field) => field.name === name)?.value

  it('arrives in their mailboxes as the same mail, in one change', async () => {
    const { sim, ask, mailOf } = await openOffices()
    const recipients = {
      to: 'Max <MAX@agents.example>',
      cc: 'gone@agents.example',
      bcc: ['rival@agents.example', eva],
    }
    const content = { subject: 'Lamp', text: 'Hi', attachments: { filename: 'a.txt', content: 'aGk=' } }
    const { body } = await ask('', { agent: 'eva', ...recipients, ...content })
    const sent = sim.mailbox.message(body.id)
    expect([mailOf('gone'), mailOf('rival')]).toEqual([[], []])
    const [[own, self] = [], ...rest] = mailOf('eva')
    expect([own, rest]).toEqual([sent, []])
    const [[copy] = []] = mailOf('max')
    for (const received of [self, copy]) {
      expect(received).toMatchObject({
        direction: 'inbound',
        from: `Eva <${eva}>`,
        to: ['MAX@agents.example'],
        text: 'Hi',
      })
      expect(received?.headers).toEqual(sent.headers.filter(({ name }) => name !== 'Bcc'))
      expect(sim.mailbox.attachment(received?.attachments[0]?.id ?? '')).toMatchObject({ content: 'aGk=' })
    }
    expect(header(sent, 'Bcc')).toBe(recipients.bcc.join(', '))
    expect(sim.mailbox.threads({ agent: 'max' }).threads[0]?.unread).toBe(true)
    expect(sim.journal.commands()).toHaveLength(1)
    await sim.clock.advance('1s')
    const bodies = sim.deliveries.list().map(({ attempts: [first] }) => JSON.parse(first?.request.body ?? ''))
    expect(bodies.map(({ data }) => data.agent_handle).sort()).toEqual(['eva', 'max'])
  })

  it('is threaded with its answers in every mailbox', async () => {
    const { ask, mailOf } = await openOffices()
    await ask('', {
      agent: 'eva',
      to: ['max@agents.example', 'ann@shop.example'],
      subject: 'Lamp',
      text: 'Hi',
    })
    await ask(`/${mailOf('max')[0]?.[0]?.id}/reply-all`, { text: 'Yes' })
    await ask(`/${mailOf('eva')[0]?.[1]?.id}/reply`, { text: 'Fine' })
    const [[first, second, third] = [], ...others] = mailOf('eva')
    expect([others, third?.to]).toEqual([[], ['max@agents.example']])
    const ids = [first, second, third].map((message) => message && header(message, 'Message-ID'))
    expect(header(third as NonNullable<typeof third>, 'References')).toBe(`${ids[0]} ${ids[1]}`)
    const [there = [], ...more] = mailOf('max')
    expect([more, there.map((message) => header(message, 'Message-ID'))]).toEqual([[], ids])
    expect(there.map(({ direction }) => direction)).toEqual(['inbound', 'outbound', 'inbound'])
  })

  it('to itself arrives in the thread from which it was sent', async () => {
    const { ask, mailOf } = await openOffices()
    const { body } = await ask('', { agent: 'eva', to: eva, subject: 'Note', text: 'Hi' })
    const again = await ask(`/${mailOf('eva')[0]?.[1]?.id}/reply`, { text: 'Yes' })
    expect([again.body.thread_id, again.body.to]).toEqual([body.thread_id, [eva]])
    const [notes = [], ...others] = mailOf('eva')
    expect([notes.map(({ direction }) => direction), others]).toEqual([
      ['outbound', 'inbound', 'outbound', 'inbound'],
      [],
    ])
  })

  it.each(['delivered', 'not-delivered'])(
    'is %s as the assumption says, on which nothing else relies',
    async (assumption) => {
      const { sim, ask, mailOf } = await openOffices({
        assume: { 'common.local-delivery': assumption as never },
      })
      await ask('', { agent: 'eva', to: 'ann@shop.example', text: 'Hi' })
      const relied = () => sim.reliances().filter(({ gap }) => gap === 'common.local-delivery')
      expect(relied()).toEqual([])
      await ask('', { agent: 'eva', to: 'ann@shop.example', bcc: 'Max <max@agents.example>', text: 'Hi' })
      expect(mailOf('max')).toHaveLength(assumption === 'delivered' ? 1 : 0)
      expect(relied()).toMatchObject([{ assumption, count: 1 }])
    },
  )
})

describe('a story in which agents send mail forever', () => {
  const send = (agent: string, to: string) => ({ agent, to: `${to}@agents.example`, text: 'Hi' })
  const max = 'max@agents.example'

  it.each([
    [
      'answer each other',
      [send('eva', 'max'), send('max', 'eva')],
      '"eva" sent 3 of them, "max" sent 2 of them',
    ],
    ['write to anybody', [{ agent: 'max', to: 'ann@shop.example' }], '"max" sent 5 of them'],
  ])('stops at its bound those that %s', async (_, mails, said) => {
    const { sim, ask } = await open({ maxSent: 5 })
    const turns = Array.from({ length: 5 }, (_, turn) => mails[turn % mails.length])
    for (const mail of turns) expect((await ask('', mail)).status).toBe(201)
    const before = sim.digest()
    const reason = `The agents have sent 5 messages, the most that a story allows (--max-sent, maxSent): ${said}.`
    const { status, body } = await ask('', send('eva', 'max'))
    expect([status, body.error.message]).toEqual([429, reason])
    const snapshot = sim.snapshot()
    expect([sim.digest(), sim.runaway()]).toEqual([before, reason])
    await expect(sim.mail.send({ from: 'eva', to: max })).rejects.toThrow(reason)
    await sim.fork().mail.send({ from: 'eva', to: max })
    sim.reset()
    expect([(await ask('', mails[0])).status, sim.runaway()]).toEqual([201, null])
    sim.restore(snapshot)
    expect((await ask('', mails[0])).status).toBe(429)
  })

  it('does not count what the story itself sends, nor what comes in', async () => {
    const timeline = [
      {
        after: '1s' as const,
        repeat: { times: 5, every: '1s' as const },
        send: { from: 'eva', to: max, subject: 'A', text: 'Hi' },
      },
    ]
    const { sim, ask } = await open({ maxSent: 1, scenario: { ...desk.scenario, timeline } })
    await sim.clock.advance('1m')
    await sim.mail.receive({ to: 'eva', text: 'Hi' })
    expect((await ask('', send('eva', 'max'))).status).toBe(201)
    expect((await ask('', send('eva', 'max'))).status).toBe(429)
  })
})

it('automatic mail says so wherever header fields are shown', async () => {
  const machine = { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' }
  const { sim, read } = await open({
    assume: { 'messages.headers': 'object', 'messages.authentication': 'omitted' },
    scenario: {
      ...desk.scenario,
      identities: [
        { handle: 'eva', threads: [{ key: 'away', messages: [{ text: 'Away', headers: machine }] }] },
        {
          handle: 'max',
          generate: { threads: 30, messages: 1, kinds: ['bounces', 'newsletters', 'receipts'] },
        },
      ],
      timeline: [
        {
          after: '1s',
          receive: { thread: 'away', text: 'Still', headers: { ...machine, 'X-Day': '{{number.int}}' } },
        },
        {
          after: '2s',
          send: { thread: 'away', text: 'So?', headers: { 'Auto-Submitted': 'auto-generated' } },
        },
      ],
    },
  })
  await sim.clock.advance('1m')
  const listed = (agent: string) => askHandlers(sim, 'GET', `/mail/messages?agent=${agent}&limit=50`)
  const shown = (await listed('eva')).body.messages.reverse()
  const said = shown.map(({ headers }: { headers: Record<string, string> }) => headers['auto-submitted'])
  expect(said).toEqual(['auto-replied', 'auto-replied', 'auto-generated'])
  expect(shown[1].headers['x-day']).toMatch(/^\d+$/)
  for (const { id, from, headers } of (await listed('max')).body.messages) {
    const kind = `${from} ${headers['list-id'] ?? headers['auto-submitted']} ${headers['return-path'] ?? ''}`
    expect(kind).toMatch(/MAILER-DAEMON.* auto-replied <>$|<news\..* $| auto-generated $/)
    expect(read(id).named.get('auto-submitted')).toBe(headers['auto-submitted'])
  }
})
