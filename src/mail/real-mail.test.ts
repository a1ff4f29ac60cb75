import { describe, expect, it } from 'vitest'
import { formatMailbox } from './address.js'
import { parseEml } from './parse-eml.js'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const read = (...lines: string[]) => parseEml(latin1(lines.join('\r\n')))
const fromOf = (header: string) => formatMailbox(read(`From: ${header}`, '', '').from)
const subjectOf = (...lines: string[]) => read(...lines, '', '').subject

/** Parses a multipart mail; each part has its headers, a blank line and its body. */
function mixed(...parts: string[]): ReturnType<typeof parseEml> {
  const body = parts.map((part) => `--b\r\n${part}\r\n`).join('')
  return parseEml(latin1(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`))
}

function bytesOf(encoding: string, body: string, type = 'application/x-lamp'): string {
  const head = `Content-Type: ${type}\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: ${encoding}`
  const [file] = mixed('Content-Type: text/plain\r\n\r\nSee.', `${head}\r\n\r\n${body}`).attachments
  return Buffer.from(file?.content ?? '', 'base64').toString('latin1')
}

describe('the sender', () => {
  it.each([
    ['Mail Delivery Subsystem <MAILER-DAEMON>', 'Mail Delivery Subsystem <MAILER-DAEMON>'],
    [
      'Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
      'Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
    ],
    ['MAILER-DAEMON <>', 'MAILER-DAEMON <>'],
    ['MAILER-DAEMON', 'MAILER-DAEMON <MAILER-DAEMON>'],
    ['<>', 'unknown <unknown@invalid>'],
    ['MAILER-DAEMON@mx.example (Mail Delivery System)', 'Mail Delivery System <MAILER-DAEMON@mx.example>'],
    ['"Netflix" <"info@members.netflix.example">', 'Netflix <info@members.netflix.example>'],
    ['Ann <ann@shop,example>', 'Ann <ann@shop,example>'],
    ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', 'Pete <pete@silly.test>'],
    ['John Doe <jdoe@machine(comment).  example>', 'John Doe <jdoe@machine.example>'],
    ['Joe Q. Public <john.q.public@example.com>', '"Joe Q. Public" <john.q.public@example.com>'],
    ['Mary Smith <@node.test,@b.test:mary@example.net>', 'Mary Smith <mary@example.net>'],
    ['john . doe @ example . com', '"john.doe" <john.doe@example.com>'],
    ['=?utf-8?Q?Ann_:)?= <ann@shop.example>', '"Ann :)" <ann@shop.example>'],
    ['=?utf-8?Q?Lee,_Ann?= <ann@shop.example>', '"Lee, Ann" <ann@shop.example>'],
    ['"ann@shop.example" <ann@shop.example>', '"ann@shop.example" <ann@shop.example>'],
    ['ann@shop.example <ann@shop.example>', '"ann@shop.example" <ann@shop.example>'],
    ['"ann lee"@shop.example', '"\\"ann lee\\"" <"ann lee"@shop.example>'],
    ["'Ann' <ann@shop.example>", "'Ann' <ann@shop.example>"],
    ['Doe, John <john@shop.example>', '"Doe, John" <john@shop.example>'],
    ['Ann Lee', 'Ann Lee <>'],
    ['"Ann \\"Lamp\\" Lee" <ann@shop.example>', '"Ann \\"Lamp\\" Lee" <ann@shop.example>'],
    ['Ann Lee <<ann@shop.example>>', 'Ann Lee <ann@shop.example>'],
    ['Ann <ann@shop.example', 'Ann <ann@shop.example>'],
    ['"Ann <ann@shop.example>', '"\\"Ann" <ann@shop.example>'],
    ['/O=SHOP/OU=FIRST/CN=ANN', '/O=SHOP/OU=FIRST/CN=ANN </O=SHOP/OU=FIRST/CN=ANN>'],
    ['Bank Service <help@bank.example> <x@evil.example>', 'Bank Service <help@bank.example>'],
    ['A Group:Ed Jones <joe@where.test>,John <jdoe@one.test>;', 'Ed Jones <joe@where.test>'],
    ['undisclosed sender:;', 'undisclosed sender <>'],
    ['Ann, <ann@shop.example>', 'Ann <ann@shop.example>'],
    ['"ann@shop.example"', 'ann <ann@shop.example>'],
    ['=?utf-8?Q?Ann_=3Cann=40shop.example=3E?=', 'Ann <ann@shop.example>'],
    ['Ann Lee [SMTP:ann@shop.example]', 'Ann Lee <ann@shop.example>'],
    ['"Ann" <mailto:ann@shop.example>', 'Ann <ann@shop.example>'],
    ['Ann <Annie> Lee <ann@shop.example>', 'Ann Annie Lee <ann@shop.example>'],
  ])('%s', (header, shown) => {
    expect(fromOf(header)).toBe(shown)
  })
})

it('uses Sender for a mail without From', () => {
  expect(read('From:', 'Sender: Ann <ann@shop.example>', '', '').from.address).toBe('ann@shop.example')
})

it('parses recipients without commas between them', () => {
  const to = (header: string) =>
    read(`To: ${header}`, '', '').to.map(({ name, address }) => `${name}|${address}`)
  expect(to('a@x.example b@x.example')).toEqual(['|a@x.example', '|b@x.example'])
  expect(to('A <a@x.example> B <b@x.example>')).toEqual(['A|a@x.example', 'B|b@x.example'])
  expect(to('"b c"@x.example; a@x.example')).toEqual(['|"b c"@x.example', '|a@x.example'])
})

describe('attachments', () => {
  it.each([
    ['7bit', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['8bit', '\xfc\n\xe4\r', '\xfc\n\xe4\r'],
    ['binary', 'a\0b\r\n\r\n', 'a\0b\r\n\r\n'],
    ['7bit', '', ''],
    ['base64', 'YQ0KYg0K', 'a\r\nb\r\n'],
    ['BASE64', 'YWI=\r\nYWI=', 'ab'],
    ['base64 (really)', 'YQ==', 'a'],
    ['base64', '', ''],
    ['base64', 'YWJj=', 'abc'],
    ['base64', 'YW\r\n J!j', 'abc'],
    ['quoted-printable', 'AB=00=FF', 'AB\0\xff'],
    ['quoted-printable', 'a =20 \t\r\nb=\r\nc= \r\nd=3', 'a  \r\nbcd=3'],
    ['quoted-printable', '=c3=BC=', '\xc3\xbc'],
    ['x-uuencode', 'begin 644 hi.txt\r\n#:&D*\r\n`\r\nend', 'hi\n'],
    ['x-uue', 'some words\r\nbegin 644 a b.bin\r\n"86(\r\n \r\nend\r\n', 'ab'],
    ['x-unknown', 'a=20b', 'a=20b'],
  ])('decode %s: %j', (encoding, body, bytes) => {
    expect(bytesOf(encoding, body)).toBe(bytes)
  })

  it('keep the bytes of texts, calendars and mails', () => {
    for (const type of ['text/plain; charset=iso-8859-1', 'text/calendar; charset=utf-8', 'message/rfc822']) {
      expect(bytesOf('8bit', '\xfc\r\nx\r\n', type)).toBe('\xfc\r\nx\r\n')
    }
  })

  it('have their names', () => {
    const nameOf = (...lines: string[]) =>
      mixed('\r\nHi', `${lines.join('\r\n')}\r\n\r\nx`).attachments[0]?.filename
    expect(nameOf('Content-Type: text/plain; name="notes.txt"')).toBe('notes.txt')
    expect(nameOf('Content-Disposition: inline; filename=notes.txt')).toBe('notes.txt')
    expect(nameOf('Content-Disposition: attachment; filename=my notes.txt; size=3')).toBe('my notes.txt')
    expect(
      nameOf(
        "Content-Disposition: attachment; filename*0*=utf-8''Gr%C3; filename*1*=%B6%C3%9Fe; filename*2=.txt",
      ),
    ).toBe('Größe.txt')
    expect(
      nameOf("Content-Disposition: attachment; filename=x.txt; filename*=iso-8859-1'de'%FCber.txt"),
    ).toBe('über.txt')
    expect(
      nameOf('Content-Disposition: attachment; filename="=?utf-8?B?R3LDtg==?= =?utf-8?Q?=C3=9Fe.txt?="'),
    ).toBe('Größe.txt')
    expect(nameOf('Content-Disposition: attachment; filename="a\\"b;c.txt"')).toBe('a"b;c.txt')
    expect(nameOf('Content-Type: application/pdf; name=Invoice(1).pdf (the first)')).toBe('Invoice(1).pdf')
    expect(nameOf('Content-Type: application/pdf name=a.pdf', 'Content-Disposition: attachment')).toBe(
      'a.pdf',
    )
    expect(nameOf('Content-Disposition: filename="a.txt"')).toBe('a.txt')
    expect(nameOf('Content-Disposition: attachment; filename=a.txt size=3')).toBe('a.txt')
    expect(nameOf('Content-Disposition: attachment; filename="price\r\n\tlist.txt"')).toBe('price list.txt')
    expect(nameOf('Content-Disposition: attachment; filename="Gr\xf6\xdfe.txt"')).toBe('Größe.txt')
  })
})

describe('the text of a mail', () => {
  it.each(['text', 'text plain', 'text/plain charset=utf-8', 'TEXT/PLAIN;', '', 'text/plain; =; x', 'text/'])(
    'is found for Content-Type %j',
    (type) => {
      expect(read(`Content-Type: ${type}`, '', 'Hi')).toMatchObject({ text: 'Hi', attachments: [] })
    },
  )

  it('keeps HTML unchanged and separate from the footer of a list', () => {
    const mail = mixed('Content-Type: text/html\r\n\r\n<p>Hi</p>', 'Content-Type: text/plain\r\n\r\nfooter')
    expect(mail).toMatchObject({ html: '<p>Hi</p>', text: 'footer' })
  })

  it('is the root of related parts in any position', () => {
    const mail = read(
      'Content-Type: multipart/related; boundary=b; start="<root@x>"',
      '',
      '--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b\r\nContent-Type: text/html\r\nContent-ID: <root@x>\r\n\r\n<b>Hi</b>\r\n--b--',
    )
    expect(mail).toMatchObject({ html: '<b>Hi</b>', attachments: [{ contentType: 'image/png' }] })
  })

  it.each([
    ['utf-7', '+AOQ-rger +- +AGEAYg', 'ärger + ab'],
    ['iso-2022-kr', '\x1b$)C\x0e0!\x0f a', '가 a'],
    ['hz-gb-2312', '~{<:Ky2;~} ~~', '己所不 ~'],
    ['gb2312', '\xc4\xe3\xba\xc3', '你好'],
    ['big5', '\xa7A\xa6n', '你好'],
    ['ks_c_5601-1987', '\xb0\xa1\x8c\x63\xc6\x52 a\xc8', '가똠힣 a\ufffd'],
    ['iso-8859-16', '\xaa', 'Ș'],
    ['cp852', 'P\xfd\xa1li\xe7', 'Příliš'],
    ['gb2312', 'Gr\xe7\x85\xa7', 'Gr照'],
    ['iso-2022-jp', '\x8f\xc6\x96\xbe', '照明'],
    ['shift-jis', '\x8f\xc6\x96\xbe', '照明'],
    ['x-sjis', '\x8f\xc6\x96\xbe', '照明'],
    ['euc-jp', '\xbe\xc8\xcc\xc0', '照明'],
    ['iso-8859-8-i', '\xf9\xec', 'של'],
    ['cp1251', '\xcb\xe0\xec\xef\xe0', 'Лампа'],
    ['cp850', 'Gr\x81\xe1e', 'Grüße'],
    ['iso-8859-1', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße'],
    ['us-ascii', 'Gr\xfc\xdfe', 'Grüße'],
    ['x-unknown', 'Gr\xfc\xdfe', 'Grüße'],
    ['us-ascii', '\x1b$B>HL@\x1b(B', '照明'],
    ['utf-16', 'plain words', 'plain words'],
  ])('is decoded from %s, also inside a multipart', (charset, bytes, words) => {
    expect(mixed(`Content-Type: text/plain; charset=${charset}\r\n\r\n${bytes}`).text).toBe(words)
    expect(read(`Content-Type: text/plain; charset=${charset}`, '', bytes).text).toBe(words)
  })

  it('is reflowed within the depth of its quotes', () => {
    const flowed = (...lines: string[]) => read('Content-Type: text/plain; format=flowed', '', ...lines).text
    expect(flowed('> a ', '> b', 'c ', ' d', ' From', '-- ', 'Ann ', 'Lee')).toBe(
      '> a b\nc d\nFrom\n-- \nAnn Lee',
    )
    expect(flowed('>> a ', '>> b', '> c ', '> d', 'e ', 'f')).toBe('>> a b\n> c d\ne f')
  })
})

describe('headers', () => {
  it.each([
    ['Subject: =?utf-8?B?R3LDvA==?= =?UTF-8?Q?=C3=9Fe?=', 'Grüße'],
    ['Subject: =?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=', 'Grüße'],
    ['Subject: =?iso-8859-1?Q?a?= =?utf-8?Q?b?= c', 'ab c'],
    ['Subject: =?utf-8?Q?Hello World?=', 'Hello World'],
    ['Subject: =?utf-8?Q?Really??= yes', 'Really? yes'],
    ['Subject: =?utf-8*de?Q?=C3=BC?=', 'ü'],
    ['Subject: a=?utf-8?Q?=C3=BC?=b', 'aüb'],
    ['Subject: =?x-none?Q?=C3=BC?=', 'ü'],
    ['Subject: =?iso-2022-jp?B?GyRCPkgbKEI=?= =?iso-2022-jp?B?GyRCTEAbKEI=?=', '照明'],
    ['Subject: =?utf-7?Q?+AOQ-?=', 'ä'],
    ['Subject: \x1b$B>HL@\x1b(B', '照明'],
    ['Subject: Gr\xc3\xbc\xc3\x9fe \xfc', 'Grüße ü'],
    ['Subject: Gr\xfc\xdfe', 'Grüße'],
    ['Subject : spaced', 'spaced'],
  ])('%j', (line, subject) => {
    expect(subjectOf(line)).toBe(subject)
  })

  it('in raw bytes are decoded by the charset of the body', () => {
    const body = ['Content-Type: text/plain; charset=koi8-r', '', '\xec\xc1\xcd\xd0\xc1']
    expect(read('Subject: \xec\xc1\xcd\xd0\xc1', ...body)).toMatchObject({ subject: 'Лампа', text: 'Лампа' })
  })
})

it('decodes raw bytes in file names by the charset of the text', () => {
  const name = '\xec\xc1\xcd\xd0\xc1.pdf'
  const mail = mixed(
    'Content-Type: text/plain; charset=koi8-r\r\n\r\nx',
    `Content-Type: application/pdf; name="${name}"\r\n\r\n`,
  )
  expect(mail.attachments[0]?.filename).toBe('Лампа.pdf')
})

describe('boundaries', () => {
  const parts = (boundary: string, lines: readonly string[], comment: string) =>
    read(`Content-Type: multipart/mixed${comment}; boundary=${boundary}`, '', ...lines).attachments.length
  const file = ['Content-Disposition: attachment', '', 'x']

  it.each<[string, string, string[], string?]>([
    ['can have trailing blanks', 'b', ['--b \t', ...file, '--b-- ']],
    ['can contain blanks', '"a b"', ['--a b', ...file, '--a b--']],
    ['can end in dashes', '"b--"', ['--b--', ...file, '--b----']],
    ['can have 70 characters', 'y'.repeat(70), [`--${'y'.repeat(70)}`, ...file]],
    ['can be unclosed', 'b', ['--b', ...file]],
    ['can follow a comment with a semicolon', 'b', ['--b', ...file, '--b--'], ' (a;b)'],
    ['can be followed by a comment', '"b" (c)', ['--b', ...file, '--b--']],
    ['can be empty', '""', ['--x', ...file, '--x--']],
  ])('%s', (_, boundary, lines, comment = '') => {
    expect(parts(boundary, lines, comment)).toBe(1)
  })

  it('are whole lines', () => {
    const mail = mixed('Content-Disposition: attachment\r\n\r\n--bx\r\n --b\r\na--b\r\n--c')
    expect(Buffer.from(mail.attachments[0]?.content ?? '', 'base64').toString()).toBe(
      '--bx\r\n --b\r\na--b\r\n--c',
    )
  })
})
