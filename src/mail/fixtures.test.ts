import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatMailbox } from './address.js'
import { parseEml } from './parse-eml.js'
import { snippetOf } from './snippet.js'

const fixtures = new URL('../../fixtures/', import.meta.url)
const parseFixture = (name: string) => parseEml(readFileSync(new URL(`mail/${name}`, fixtures)))
const base64Of = (name: string) => readFileSync(new URL(`attachments/${name}`, fixtures)).toString('base64')
const decoded = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString()

it('every fixture has CRLF line ends and is addressed to the agent', () => {
  const names = readdirSync(new URL('mail/', fixtures)).filter((name) => name.endsWith('.eml'))
  expect(names.length).toBeGreaterThanOrEqual(13)
  for (const name of names) {
    const source = readFileSync(new URL(`mail/${name}`, fixtures), 'latin1')
    expect(source.replaceAll('\r\n', ''), name).not.toMatch(/[\r\n]/)
    expect(parseFixture(name).to.map(({ address }) => address)).toContain('support@agents.example')
  }
})

describe('single-part mail', () => {
  it('plain.eml has all fields', () => {
    const mail = parseFixture('plain.eml')
    expect(mail).toMatchObject({
      from: { name: 'Ann Lee', address: 'ann.lee@shop.example' },
      to: [{ name: 'Support', address: 'support@agents.example' }],
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

  it('html-only.eml has no text', () => {
    const mail = parseFixture('html-only.eml')
    expect(mail).toMatchObject({ text: null, attachments: [] })
    expect(mail.html).toMatch(
      /^<!DOCTYPE html>\n<html>[^\r]+PP-77120\?src=mail">Follow\nthe parcel<[^\r]+<\/html>$/,
    )
    expect(snippetOf(mail)).toMatch(/^Your parcel is late Parcel PP-77120 left our depot .+ Wednesday, 7…$/)
  })

  it.each([
    [
      'encoded-words.eml',
      'Jürgen Weiß <j.weiss@kontor.example>',
      'Rückfrage zur Lieferung „Mond“ ☾ (order 4189)',
      /^Guten Tag,\n\nder Lampenschirm „Mond“ [^\r]+\nJürgen Weiß$/,
    ],
    [
      'quoted-printable-latin1.eml',
      'Élodie Faure <elodie@atelier.example>',
      'Facture déjà réglée',
      /^Bonjour,\n\n.+ est déjà réglée, .+ \(référence = 1188-EF\)\.\n[^\r]+de votre côté \?\n\nÉlodie Faure$/,
    ],
    [
      'japanese.eml',
      '佐藤美咲 <misaki.sato@akari.example>',
      '注文番号4185の配送について',
      /^サポート御中\n\n注文番号4185のフロアランプ.+\n.+\n\n佐藤美咲$/,
    ],
  ])('%s is decoded', (name, from, subject, text) => {
    const mail = parseFixture(name)
    expect([formatMailbox(mail.from), mail.subject]).toEqual([from, subject])
    expect(mail.text).toMatch(text)
  })

  it('reply-chain.eml refers to earlier mail, which its snippet omits', () => {
    const mail = parseFixture('reply-chain.eml')
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
})

describe('multipart mail', () => {
  it('multipart-attachment.eml has both bodies and two files', () => {
    const mail = parseFixture('multipart-attachment.eml')
    expect(mail.text).toMatch(/^Hello Support,\n\nattached are invoice [^\r]+\n\nMira$/)
    expect(mail.html).toMatch(/^<p>Hello Support,<\/p>\n[^\r]+\n<p>Mira<\/p>$/)
    const common = { contentId: null, disposition: 'attachment' }
    const [invoice, orders] = [base64Of('invoice.pdf'), base64Of('orders.csv')]
    expect(mail.attachments).toEqual([
      { ...common, filename: 'invoice.pdf', contentType: 'application/pdf', content: invoice },
      { ...common, filename: 'open orders – January.csv', contentType: 'text/csv', content: orders },
    ])
  })

  it('inline-image.eml refers to its image', () => {
    const mail = parseFixture('inline-image.eml')
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

  it('meeting-invitation.eml has a calendar file without a name', () => {
    const { attachments } = parseFixture('meeting-invitation.eml')
    expect(attachments).toMatchObject([
      { filename: 'attachment-1.ics', contentType: 'text/calendar', disposition: null },
      { filename: 'screenshot.png', contentType: 'image/png' },
    ])
    expect(decoded(attachments[0]?.content)).toContain('SUMMARY:Review of late deliveries\r\n')
  })

  it('bounce-report.eml has its report and the returned mail as files', () => {
    const mail = parseFixture('bounce-report.eml')
    expect(mail.text).toMatch(/^The mail system of hotel\.example could not [^\r]+over quota\)\n$/)
    expect(mail.attachments).toMatchObject([
      { filename: 'attachment-1.txt', contentType: 'message/delivery-status' },
      { filename: 'attachment-2.eml', contentType: 'message/rfc822' },
    ])
    expect(decoded(mail.attachments[0]?.content)).toContain('\nAction: failed\r\nStatus: 5.2.2\r\n')
  })
})
