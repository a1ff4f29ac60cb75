import type { Message } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { openStory, type Story, storyInput } from './story.js'

const [world] = storyInput('world-mail').identities ?? []
const threads = Object.fromEntries((world?.threads ?? []).map((thread) => [thread.key, thread]))
const messageOf = (key: string) => threads[key]?.messages[0]

/** The decoded texts of mails in old charsets. */
const decoded: Readonly<Record<string, Pick<Message, 'from' | 'subject' | 'text'>>> = {
  'iso-2022-jp': {
    from: '中村健 <ken@honya.example>',
    subject: '領収書のお願い',
    text: 'お世話になっております。\n\n注文番号3140の領収書を送っていただけますか。\n\n中村健',
  },
  gb18030: {
    from: '王芳 <wang.fang@shudian.example>',
    subject: '换货',
    text: '您好：\n\n收到的词典是旧版，想换成新版。\n\n王芳',
  },
  'euc-kr': {
    from: '박지훈 <jihoon@seojeom.example>',
    subject: '영업시간 문의',
    text: '안녕하세요.\n\n토요일에도 문을 여시나요?\n\n박지훈',
  },
  'windows-1256': {
    from: 'سامي نصار <sami@maktaba.example>',
    subject: 'طلب جديد',
    text: 'مرحبا،\n\nأريد نسختين من كتاب "طيور الشمال". كم الثمن؟\n\nسامي نصار',
  },
  'iso-8859-8-i': {
    from: 'דוד לוי <david@sfarim.example>',
    subject: 'ספר ישן',
    text: 'שלום,\n\nאני מחפש ספר משנת 1962. האם אפשר להזמין אותו?\n\nדוד לוי',
  },
  'koi8-r': {
    from: 'Иван Орлов <orlov@knigi.example>',
    subject: 'Счёт за декабрь',
    text: 'Добрый день!\n\nПришлите, пожалуйста, счёт за декабрь ещё раз.\n\nИван Орлов',
  },
  'windows-874': {
    from: 'มานะ ใจดี <mana@nangsue.example>',
    subject: 'ขอใบเสร็จ',
    text: 'สวัสดีครับ\n\nขอใบเสร็จของหนังสือสามเล่มด้วยครับ\n\nมานะ ใจดี',
  },
  'quoted-printable': {
    from: 'Zoë Brontë-Ångström <zoe@bokhandel.example>',
    subject: 'Größe, déjà vu, señal: œuvre à 12 €',
    text: 'Guten Tag,\n\n1 + 1 = 2, und "=3D" soll "=3D" bleiben. Preis: 12 €; à bientôt.\n\nZoë',
  },
}

/** Opens the mailbox and returns the messages of each thread by subject and sender. */
async function everything(story: Story): Promise<Message[]> {
  return (await story.messages('agent=world&limit=100')).messages
}

describe('world-mail', () => {
  it('is served with the same code points', async () => {
    const story = await openStory('world-mail')
    const answer = await story.text('/api/v1/mail/messages?agent=world&limit=100')
    const { messages } = JSON.parse(answer) as { messages: Message[] }
    expect(Object.keys(threads).length).toBeGreaterThan(20)
    for (const key of Object.keys(threads)) {
      const subject = threads[key]?.subject ?? ''
      const written = messageOf(key)
      const message = messages.find((candidate) => {
        return candidate.subject === subject && candidate.text === (written?.text ?? '')
      })
      expect(message, key).toMatchObject({ direction: 'inbound', html: written?.html ?? '' })
      if (written?.from?.includes(' <')) expect(message?.from).toBe(written.from)
      // Only characters that JSON must escape are escaped.
      for (const words of [subject, written?.text ?? '', written?.from ?? '']) {
        expect(answer, key).toContain(JSON.stringify(words).slice(1, -1))
      }
    }
  })

  it('is decoded from every charset', async () => {
    const messages = await everything(await openStory('world-mail'))
    for (const [charset, words] of Object.entries(decoded)) {
      expect(
        messages.filter(({ subject }) => subject === words.subject),
        charset,
      ).toMatchObject([words])
    }
  })

  it.each([
    ['de', /\p{Script=Latin}/u, /\b(?:Guten Tag|Hallo|Sehr geehrte|Liebe[rs]?|Mit freundlichen|Grüße)\b/],
    ['fr', /\p{Script=Latin}/u, /\b(?:Bonjour|Madame|Cordialement|Merci)\b/],
    ['ja', /\p{Script=Hiragana}/u, /です|ます/],
    ['ar', /\p{Script=Arabic}/u, /[\u0600-\u06ff]{3}/],
    ['pt', /\p{Script=Latin}/u, /\b(?:Olá|Bom dia|Boa tarde|Prezad|Obrigad|Atenciosamente)/],
  ])('the mailbox %s has mail in its own language', async (agent, script, words) => {
    const story = await openStory('world-mail')
    const { messages } = await story.messages(`agent=${agent}&limit=100`)
    expect(messages.length).toBeGreaterThanOrEqual(15)
    const texts = messages.map(({ text, html }) => `${text}${html}`)
    for (const text of texts) expect(text).toMatch(script)
    expect(texts.filter((text) => words.test(text)).length).toBeGreaterThan(texts.length / 3)
  })
})
