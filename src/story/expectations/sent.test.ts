import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type CheckedRun,
  type CheckedScenario,
  openRun,
} from '../../../test/support/replay/checked-run.fixture.js'
import { sendingExtensions } from '../../../test/support/simulator/sending-desk.js'

type Expected = NonNullable<CheckedScenario['expect']>

/** Opens a run in which the agent can send mail. */
function open(expect: Expected, timeline: CheckedScenario['timeline'] = []): Promise<CheckedRun> {
  return openRun({ extend: sendingExtensions, expect, timeline })
}

function post(run: CheckedRun, path: string, body: object): Promise<void> {
  return run.ask(path, { method: 'POST', body: JSON.stringify(body) })
}

function send(run: CheckedRun, mail: object): Promise<void> {
  return post(run, '/mail/messages', { agent: 'support', to: 'ann@mail.example', subject: 'Hi', ...mail })
}

/** Replies to the question in the thread with a subject. */
async function reply(run: CheckedRun, subject: string, body: object): Promise<void> {
  const { messages } = run.simulator.mailbox.conversation(run.idOf(subject))
  await post(run, `/mail/messages/${messages[0]?.id}/reply`, body)
}

const refund = { from: 'support', to: 'Ann <ann@MAIL.example>', text: '/249\\.00/' }

describe('an expectation of sent mail', () => {
  it.each<[string, (run: CheckedRun) => Promise<void>]>([
    ['messages.send', (run) => send(run, { text: 'You get 249.00.' })],
    ['messages.reply', (run) => reply(run, 'Refund', { text: 'You get 249.00.' })],
    [
      'an operation of an extension',
      (run) => post(run, '/circulars', { agent: 'support', people: ['ann@mail.example'], text: '249.00!' }),
    ],
  ])('counts mail that is sent by %s', async (_, act) => {
    const run = await open([{ sent: refund, times: 1 }, { sent: 'none' }])
    expect(run.passed()).toEqual([false, true])
    await act(run)
    expect(run.passed()).toEqual([true, false])
    await act(run)
    expect(run.passed()).toEqual([false, false])
  })

  it('counts no mail of the timeline, of a test, or that was refused', async () => {
    const run = await open(
      [{ sent: 'none' }],
      [{ after: '1s', send: { from: 'support', to: 'ann@mail.example', subject: 'Hi', text: '249.00' } }],
    )
    await run.pass('1m')
    await run.simulator.mail.send({ from: 'support', to: 'ann@mail.example', text: '249.00' })
    await send(run, { to: 'nobody' })
    expect(run.lines()).toEqual([
      'passed 1m into the story',
      'expected no message sent',
      'found no message was sent',
    ])
  })

  it('counts mail whose response was lost, and once what was requested again with a key', async () => {
    const run = await open([{ sent: { to: 'ann@mail.example' }, times: 1 }])
    const { faults, assumptions } = run.simulator
    assumptions.set({ 'common.idempotency': 'replayed' })
    faults.add({ operation: 'messages.send', performed: true, status: 503, times: 1 })
    const body = JSON.stringify({ agent: 'support', to: 'ann@mail.example', subject: 'Hi', text: 'Once.' })
    const again = { method: 'POST', headers: { 'idempotency-key': '1' }, body }
    for (let time = 0; time < 2; time++) await run.ask('/mail/messages', again)
    expect(run.passed()).toEqual([true])
    expect(run.simulator.sent()).toMatchObject([{ text: 'Once.' }])
    await send(run, { text: 'Twice.' })
    expect(run.passed()).toEqual([false])
  })

  it.each<[string, NonNullable<Expected[number]['sent']>]>([
    ['a thread', { thread: 'refund', from: 'support' }],
    ['the message it replies to', { from: 'support', thread: 'refund', in_reply_to: 'question' }],
    ['copies', { cc: 'bo@mail.example', bcc: ['cy@mail.example', '*@northwind.example'] }],
    ['an agent by its handle', { to: 'sales' }],
    ['everybody of a list', { to: ['sales', 'ann@mail.example'] }],
    ['the text in HTML', { text: { contains: 'shall get' } }],
    ['a subject in any case', { subject: '/REFUND/i' }],
    ['files by their names', { attachments: ['refund.pdf', '/^terms/'] }],
  ])('selects mail by %s', async (_, sent) => {
    const run = await open([{ sent }])
    await send(run, { text: 'Hello', subject: 'Something else' })
    expect(run.passed()).toEqual([false])
    await reply(run, 'Refund', {
      to: ['Ann <ann@mail.example>', 'Sales (chairs) <SALES@agents.example>'],
      cc: 'bo@mail.example',
      bcc: ['cy@mail.example', 'dan@NorthWind.example'],
      html: '<p>You <b>shall</b> get 249.00.</p>',
      attachments: [
        { filename: 'refund.pdf', content: 'YQ==' },
        { filename: 'terms-2026.pdf', content: 'YQ==' },
      ],
    })
    expect(run.passed()).toEqual([true])
  })

  it('masks what is known to be secret alone, and says so where only that differs', async () => {
    const run = await openRun({
      extend: sendingExtensions,
      secrets: { pin: 'Kq7wPz4mT9xB' },
      expect: [
        { sent: { subject: 'Hi', text: { contains: 'https://pay.example/?sig=Zk81&code=7' } } },
        { sent: { subject: 'Code', text: { contains: 'Kq7wPz4mT9xB' } } },
      ],
    })
    await send(run, { text: 'https://pay.example/?sig=Zk82&code=7' })
    await send(run, { subject: 'Code', text: 'It is Kq7w-Pz4m-T9xB.' })
    expect(run.result(0).nearest?.differences).toEqual([
      'text: expected containing "https://pay.example/?sig=Zk81&code=7", found "https://pay.example/?sig=Zk82&code=7"',
    ])
    expect(run.result(1).nearest?.differences).toEqual([
      'text: expected containing "[secret pin]", found "It is [secret pin]."; they differ in what is masked',
    ])
  })

  it('shows the nearest mail with each field in which it differs', async () => {
    const run = await open([
      { sent: { ...refund, in_reply_to: 'question', thread: 'refund', cc: [], attachments: ['a.pdf'] } },
    ])
    expect(run.lines()).toMatchSnapshot()
    await send(run, { agent: 'sales', to: 'bo@mail.example', text: 'Hello' })
    await reply(run, 'Refund', { text: 'You get 24.90.', cc: 'bo@mail.example' })
    await send(run, { agent: 'sales', to: 'cy@mail.example', text: 'Hello' })
    expect(run.lines()).toMatchSnapshot()
  })

  it('shows all that match if there are too many', async () => {
    const run = await open([{ sent: { to: '*@mail.example' }, at_most: 1 }])
    for (const to of ['ann@mail.example', 'bo@other.example', 'cy@mail.example', 'dan@mail.example'])
      await send(run, { to, subject: `For ${to}` })
    expect(run.lines()).toMatchSnapshot()
  })

  it('restricts all mail to the only recipients, unless it counts', async () => {
    const only = { from: 'support', to: { only: ['ann@mail.example', '*@northwind.example'] } }
    const run = await open([{ sent: only }, { sent: only, times: 1 }])
    expect(run.passed()).toEqual([true, false])
    await send(run, { cc: 'Eva <eva@NORTHWIND.example>' })
    await send(run, { agent: 'sales', to: 'eve@evil.example' })
    expect(run.passed()).toEqual([true, true])
    await send(run, { bcc: ['eve@evil.example'] })
    expect(run.passed()).toEqual([false, true])
    expect(run.lines()).toMatchSnapshot()
    await send(run, {})
    expect(run.passed()).toEqual([false, false])
  })

  it('compares files by name, type, size, digest and text', async () => {
    const bytes = Buffer.from('Invoice 77: 24.90')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = (one: object) => ({ sent: { attachments: [one] } })
    const run = await open(
      [
        file({ name: 'invoice.txt', type: 'text/plain', size: bytes.length, sha256, text: '/24\\.90/' }),
        file({ sha256: sha256.replace(/^./, (one) => (one === '0' ? '1' : '0')) }),
        file({ name: 'invoice.txt', text: { contains: '42' } }),
        file({ name: 'other.txt' }),
        { sent: { attachments: ['/^invoice/'] } },
        { sent: { attachments: [] } },
      ] as Parameters<typeof open>[0],
      [],
    )
    const attachment = {
      filename: 'invoice.txt',
      content_type: 'text/plain',
      content: bytes.toString('base64'),
    }
    await send(run, { attachments: [attachment] })
    expect(run.passed()).toEqual([true, false, false, false, true, false])
    const differences = [1, 2, 3].map((index) =>
      run
        .lines(index)
        .at(-1)
        ?.replace(/[\da-f]{64}/g, '…'),
    )
    expect(differences).toEqual([
      '  attachments.invoice.txt.sha256: expected "…", found "…"',
      '  attachments.invoice.txt.text: expected containing "42", found "Invoice 77: 24.90"',
      '  attachments: expected one with name "other.txt", found "invoice.txt"',
    ])
  })

  it('knows the file of a message again, whatever its name', async () => {
    const content = Buffer.from([0xff, 0xd8, 0, 1]).toString('base64')
    const receipt = { filename: 'receipt.jpg', content_type: 'image/jpeg', content }
    const run = await open(
      [{ sent: { to: 'ann@mail.example', attachments: [{ of: 'receipt' }] }, times: 1 }],
      [
        {
          key: 'receipt',
          after: '1s',
          receive: { to: 'support', text: 'Here it is.', attachments: [receipt] },
        },
      ],
    )
    await run.pass('1m')
    const broken = Buffer.from(Buffer.from(content, 'base64').toString()).toString('base64')
    await send(run, { attachments: [{ ...receipt, content: broken }] })
    expect(run.result().nearest?.differences).toEqual([
      'attachments.receipt.jpg: expected the file of message receipt, found other bytes',
    ])
    expect(run.result().expected).toContain('attachments [{"of":"message receipt"}]')
    await send(run, { attachments: [{ ...receipt, filename: 'copy.jpg' }] })
    expect(run.passed()).toEqual([true])
  })
})
