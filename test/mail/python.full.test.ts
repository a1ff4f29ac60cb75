import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import { parseEml } from '../../src/mail/parse-eml.js'

const count = Number(process.env['MAIL_RUNS'] ?? 300)
const programOf = (name: string) => fileURLToPath(new URL(`./${name}.py`, import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0
const skipped = hasPython ? '' : ' (skipped: there is no python3 here)'
const options = { maxBuffer: 2 ** 30, encoding: 'utf8' } as const

function parsed(mail: Buffer): object {
  const { from, to, subject, date, text, html, attachments } = parseEml(mail)
  return {
    from: [from.name, from.address],
    to: to.map(({ address }) => address),
    // Python 3.11 forgets the blank between two encoded words.
    subject: subject.replaceAll(' ', ''),
    ...{ date: (date ?? Number.NaN) / 1000, text: text?.trimEnd(), html: html?.trimEnd() ?? null },
    files: attachments.map(({ filename, contentType, content }) => [filename, contentType, content]),
  }
}

it.skipIf(!hasPython)(`${count} mails say what Python wrote${skipped}`, { timeout: 300_000 }, () => {
  const { stdout, stderr } = spawnSync('python3', [programOf('write_mail'), String(count)], options)
  expect(stderr).toBe('')
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(count)
  for (const line of lines) {
    const { mail, ...written } = JSON.parse(line) as { readonly mail: string }
    const bytes = Buffer.from(mail, 'base64')
    expect(parsed(bytes), bytes.toString().slice(0, 1500)).toEqual(written)
  }
})

interface SentMail extends Record<'from' | 'bcc' | 'subject' | 'text' | 'html', string> {
  readonly to: string[]
  readonly cc: string[]
  readonly replyTo: string[]
  readonly headers: Record<string, string>
  readonly attachments: (Record<'filename', string> &
    Partial<Record<'contentType' | 'contentId', string>> & { content: Uint8Array })[]
}

const names = ['Ann Lee', 'Lee, Ann', 'Weiß, Jürgen', '佐藤美咲', 'Ann (work)', 'A. "B" C', '']

it.skipIf(!hasPython)(`Python reads what was sent${skipped}`, async () => {
  const people = names.map((name, index) => ({ name, address: `p${index}@example.com` }))
  const [first, ...others] = people.map(({ name, address }) => {
    return name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
  }) as [string, ...string[]]
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const mail: SentMail = {
    from: 'support',
    to: [first],
    cc: others,
    bcc: 'audit@example.com',
    replyTo: [...others].reverse(),
    subject: 'Größe 7: "bestellt", die ☾-Lampe und alles Weitere über die Bestellung Nummer 4187',
    text: 'Grüße\n',
    html: '<p>Grüße ☾</p>\n',
    headers: { 'X-Order': 'Nr. 4187 – größer', 'x-plain': '1' },
    attachments: [
      { filename: 'Größe; 1.bin', content: bytes },
      { filename: 'logo.png', content: bytes, contentType: 'image/png', contentId: 'logo' },
    ],
  }
  const sim = await createSimulator({
    scenario: {
      scenario: 'sent',
      identities: [
        {
          handle: 'support',
          display_name: 'Desk, Größe',
          threads: [
            { key: 'lamp', messages: [{ text: 'Hi' }, { direction: 'outbound', cc: mail.cc, text: 'Yes' }] },
          ],
        },
      ],
      timeline: [{ after: '0s', send: { thread: 'lamp', ...written(mail) } }],
    },
  })
  const { messages } = sim.mailbox.conversation(sim.threads.list()[0]?.id ?? '')
  const sent = await sim.mail.send({ ...mail, inReplyTo: messages.at(-1)?.id })
  const report = readFileSync(new URL('../../fixtures/mail/bounce-report.eml', import.meta.url))
  const bounced = await sim.mail.receive({ to: 'support', eml: report })
  const sources = [...messages, sent.message, bounced.message].map(({ id }) => sim.mailbox.source(id))
  // What was attached as a mail stays one, with whatever boundaries it has.
  const nested = sources.map((source, index) => ({ filename: `${index}.eml`, content: Buffer.from(source) }))
  const passed = await sim.mail.send({
    ...{ from: 'support', to: [first], text: 'See below' },
    attachments: [
      ...nested.map((file) => ({ ...file, contentType: 'message/rfc822' })),
      {
        filename: 'latin.eml',
        contentType: 'message/rfc822',
        content: Buffer.from('A: \xe9\n\nB', 'latin1'),
      },
    ],
  })
  sources.push(sim.mailbox.source(passed.message.id))
  const input = sources.map((source) => Buffer.from(source).toString('base64')).join('\n')
  const { stdout, stderr } = spawnSync('python3', [programOf('read_mail')], { ...options, input })
  expect(stderr).toBe('')
  const [asked, answered, told, last, failed, forwarded] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const pairs = people.map(({ name, address }) => [name, address])
  expect(answered).toMatchObject({ cc: pairs.slice(1), references: [asked.message_id], defects: [] })
  const file = Buffer.from(bytes).toString('base64')
  for (const [read, references] of [
    [told, [asked.message_id, answered.message_id]],
    [last, [asked.message_id, answered.message_id, told.message_id]],
  ]) {
    expect(read).toMatchObject({
      ...{ from: [['Desk, Größe', 'support@agents.example']], to: pairs.slice(0, 1), cc: pairs.slice(1) },
      ...{ bcc: [['', 'audit@example.com']], 'reply-to': pairs.slice(1).reverse() },
      ...{ subject: mail.subject, text: mail.text, html: mail.html },
      headers: { 'x-order': 'Nr. 4187 – größer', 'x-plain': '1' },
      ...{ in_reply_to: references.at(-1), references },
      files: [
        ['Größe; 1.bin', 'application/octet-stream', null, file],
        ['logo.png', 'image/png', '<logo>', file],
      ],
      defects: [],
    })
  }
  expect(failed).toMatchObject({ type: 'multipart/report; report-type=delivery-status', defects: [] })
  expect(failed.files.map(([, type]: string[]) => type)).toEqual([
    'message/delivery-status',
    'message/rfc822',
  ])
  expect(forwarded.defects).toEqual([])
  const attached = forwarded.files.map(([filename, type, , content]: string[]) => [filename, type, content])
  const kept = nested.map(({ filename, content }) => [filename, 'message/rfc822', content.toString('base64')])
  expect(attached).toEqual([...kept, ['latin.eml', 'application/octet-stream', 'QTog6QoKQg==']])
})

/** Returns a mail as a scenario writes it. */
function written({ from: _, replyTo: reply_to, attachments, ...mail }: SentMail) {
  const files = attachments.map(({ filename, content, contentType: content_type, contentId: content_id }) => {
    return { filename, content_type, content_id, content: Buffer.from(content).toString('base64') }
  })
  return { ...mail, reply_to, attachments: files }
}
