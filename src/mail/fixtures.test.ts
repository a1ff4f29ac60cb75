import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatMailbox } from './address.js'
import { parseEml } from './parse-eml.js'
import { snippetOf } from './snippet.js'

const fixtures = new URL('../../fixtures/', import.meta.url)
const parseFixture = (name: string) => parseEml(readFileSync(new URL(`mail/${name}`, fixtures)))
const base64Of = (name: string) => readFileSync(new URL(`attachments/${name}`, fixtures)).toString('base64')
const decoded = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString()
const support = { name: 'Support', address: 'support@agents.example' }
const bareSupport = { name: '', address: 'support@agents.example' }

it('every fixture has CRLF line ends and is addressed to the agent', async () => {
  const names = readdirSync(new URL('mail/', fixtures)).filter((name) => name.endsWith('.eml'))
  expect(names.length).toBeGreaterThanOrEqual(13)
  for (const name of names) {
    const source = readFileSync(new URL(`mail/${name}`, fixtures), 'latin1')
    expect(source.replaceAll('\r\n', ''), name).not.toMatch(/[\r\n]/)
    expect((await parseFixture(name)).to.map(({ address }) => address)).toContain('support@agents.example')
  }
})

describe('single-part mail', () => {
  it('plain.eml', async () => {
    const mail = await parseFixture('plain.eml')
    expect(mail).toMatchObject({
      from: { name: 'Ann Lee', address: 'ann.lee@shop.example' },
      to: [support],
      cc: [{ name: '', address: 'accounts@shop.example' }],
      subject: 'Payment for order 4187 does not go through',
      html: null,
      date: Date.parse('2026-01-04T21:31:05.000Z'),
      messageId: '<20260104213105.4187@shop.example>',
      inReplyTo: null,
      references: [],
      attachments: [],
    })
    expect(mail.text).toMatch(/^Hello,\n\nI have tried [^\r]+\n-- \nAnn Lee\nLee Interiors, Northport$/)
    expect(mail.headers.map(([name]) => name).slice(0, 4)).toEqual(['Return-Path', 'Received', 'From', 'To'])
    expect(mail.headers[1]?.[1]).toBe(
      'from mx1.shop.example (mx1.shop.example [192.0.2.10]) by in.agents.example with ESMTPS id 4Q7c2; Sun, 4 Jan 2026 21:31:08 +0000',
    )
    expect(snippetOf(mail)).toMatch(/^Hello, I have tried three times .+ "payment failed, code…$/)
  })

  it('html-only.eml', async () => {
    const mail = await parseFixture('html-only.eml')
    expect(mail).toMatchObject({ subject: 'Parcel PP-77120 is delayed', text: null, attachments: [] })
    expect(mail.html).toMatch(/^<!DOCTYPE html>\n<html>[^\r]+<\/html>$/)
    expect(mail.html).toContain('PP-77120?src=mail">Follow\nthe parcel</a>')
    expect(formatMailbox(mail.from)).toBe('Parcel Post <updates@parcelpost.example>')
    expect(snippetOf(mail)).toMatch(/^Your parcel is late Parcel PP-77120 left our depot .+ Wednesday, 7…$/)
  })

  it('encoded-words.eml', async () => {
    const mail = await parseFixture('encoded-words.eml')
    expect(mail).toMatchObject({
      from: { name: 'Jürgen Weiß', address: 'j.weiss@kontor.example' },
      to: [
        { name: 'Kundendienst – Agenten', address: 'support@agents.example' },
        { name: 'Zoë Ålund', address: 'zoe@kontor.example' },
      ],
      subject: 'Rückfrage zur Lieferung „Mond“ ☾ (order 4189)',
      date: Date.parse('2026-01-05T07:44:00.000Z'),
    })
    expect(mail.text).toMatch(/^Guten Tag,\n\nder Lampenschirm „Mond“ [^\r]+\nJürgen Weiß$/)
    expect(mail.headers).toContainEqual(['From', 'Jürgen Weiß <j.weiss@kontor.example>'])
    expect(mail.headers).toContainEqual(['X-Note', 'Eilig, bitte bis Freitag'])
  })

  it('quoted-printable-latin1.eml', async () => {
    const mail = await parseFixture('quoted-printable-latin1.eml')
    expect(mail.from).toEqual({ name: 'Élodie Faure', address: 'elodie@atelier.example' })
    expect(mail.subject).toBe('Facture déjà réglée')
    expect(mail.text).toMatch(/^Bonjour,\n\n.+ est déjà réglée, .+ \(référence = 1188-EF\)\.\n/)
    expect(mail.text).toMatch(/de votre côté \?\n\nÉlodie Faure$/)
  })

  it('reply-chain.eml', async () => {
    const mail = await parseFixture('reply-chain.eml')
    expect(mail).toMatchObject({
      messageId: '<bulbs-3@hotel.example>',
      inReplyTo: '<bulbs-2@agents.example>',
      references: ['<bulbs-1@hotel.example>', '<bulbs-2@agents.example>'],
    })
    expect(mail.text).toMatch(/\n>> Could you send us four spare bulbs for the room lamps\?$/)
    expect(snippetOf(mail)).toBe(
      'Warm white, please, the same as last time. And make it six instead of four, two more broke over the holidays. Tomas',
    )
  })

  it('refund-reply.eml', async () => {
    const mail = await parseFixture('refund-reply.eml')
    expect(mail).toMatchObject({
      subject: 'Re: Refund for order 4187',
      inReplyTo: '<refund-4187-1@agents.example>',
      references: ['<refund-4187-1@agents.example>'],
    })
    expect(mail.text).toContain('so half of the amount (€29.90) would be enough.')
  })

  it('japanese.eml', async () => {
    const mail = await parseFixture('japanese.eml')
    expect(mail).toMatchObject({
      from: { name: '佐藤美咲', address: 'misaki.sato@akari.example' },
      to: [{ name: 'サポート', address: 'support@agents.example' }],
      subject: '注文番号4185の配送について',
      date: Date.parse('2026-01-05T04:15:00.000Z'),
    })
    expect(mail.text).toMatch(/^サポート御中\n\n注文番号4185のフロアランプ.+\n.+\n\n佐藤美咲$/)
  })

  it('missing-date.eml', async () => {
    const mail = await parseFixture('missing-date.eml')
    expect(mail).toMatchObject({ from: { name: '' }, to: [bareSupport], date: null, messageId: null })
    expect(formatMailbox(mail.from)).toBe('alerts <alerts@monitor.example>')
  })
})

describe('multipart mail', () => {
  it('multipart-attachment.eml', async () => {
    const mail = await parseFixture('multipart-attachment.eml')
    expect(mail.text).toMatch(/^Hello Support,\n\nattached are invoice [^\r]+\n\nMira$/)
    expect(mail.html).toMatch(/^<p>Hello Support,<\/p>\n[^\r]+\n<p>Mira<\/p>$/)
    const common = { contentId: null, disposition: 'attachment' }
    expect(mail.attachments).toEqual([
      {
        ...common,
        filename: 'invoice.pdf',
        contentType: 'application/pdf',
        content: base64Of('invoice.pdf'),
      },
      {
        ...common,
        filename: 'open orders – January.csv',
        contentType: 'text/csv',
        content: base64Of('orders.csv'),
      },
    ])
  })

  it('inline-image.eml', async () => {
    const mail = await parseFixture('inline-image.eml')
    expect(mail.html).toContain('src="cid:logo.7d20@lumen.example"')
    expect(mail.attachments).toEqual([
      {
        filename: 'logo.png',
        contentType: 'image/png',
        contentId: 'logo.7d20@lumen.example',
        disposition: 'inline',
        content: base64Of('logo.png'),
      },
    ])
  })

  it('meeting-invitation.eml', async () => {
    const { attachments } = await parseFixture('meeting-invitation.eml')
    expect(attachments).toMatchObject([
      { filename: 'attachment-1.ics', contentType: 'text/calendar', disposition: null },
      { filename: 'screenshot.png', contentType: 'image/png', content: base64Of('screenshot.png') },
    ])
    expect(decoded(attachments[0]?.content)).toContain('SUMMARY:Review of late deliveries\r\n')
  })

  it('bounce-report.eml', async () => {
    const mail = await parseFixture('bounce-report.eml')
    expect(mail).toMatchObject({ inReplyTo: '<bulbs-4@agents.example>', html: null })
    expect(mail.text).toMatch(/^The mail system of hotel\.example could not [^\r]+over quota\)\n$/)
    expect(mail.attachments).toMatchObject([
      { filename: 'attachment-1.txt', contentType: 'message/delivery-status' },
      { filename: 'attachment-2.eml', contentType: 'message/rfc822' },
    ])
    expect(decoded(mail.attachments[0]?.content)).toContain('\nAction: failed\r\nStatus: 5.2.2\r\n')
  })

  it('forwarded-message.eml', async () => {
    const mail = await parseFixture('forwarded-message.eml')
    expect(mail.text).toMatch(/^This one came to me by mistake[^\r]+before Tuesday\.\n\nZoe$/)
    expect(mail.attachments).toMatchObject([
      { filename: 'Bulk price for desk lamps.eml', contentType: 'message/rfc822', disposition: 'attachment' },
    ])
    const inner = await parseEml(decoded(mail.attachments[0]?.content))
    expect(inner.from).toEqual({ name: 'Chidi Okafor', address: 'chidi@okafor.example' })
    expect(inner.text).toMatch(/^What would twelve desk lamps cost us/)
  })
})
