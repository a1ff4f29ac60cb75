import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'
import { sendingExtensions } from '../../../test/support/simulator/sending-desk.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import { parseEml } from '../../mail/parse-eml.js'
import { textOfHtml } from '../../mail/snippet.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import type { ScenarioInput } from '../format/scenario.js'
import { loadScenario } from '../load.js'
import { fitsReply, type LetterFormName, letterFormNames } from './forms.js'

const said = 'My order is <4187> & it should go to Mill Road 4, as soon as you can find the time for it.'

const asked = [
  { at: '-2h', from: 'Ann Lee <ann@shop.example>', text: 'Where is it?' },
  { at: '-1h', direction: 'outbound' as const, text: 'Which order?\nAnd where to?' },
]

function story(messages: object[], timeline: ScenarioInput['timeline'] = []): ScenarioInput {
  const threads = [{ key: 'lamp', subject: 'Lamp', messages: [...asked, ...messages] }]
  return { scenario: 'desk', identities: [{ handle: 'support', threads }], timeline }
}

/** Returns a message of the timeline in a form. */
async function told(form: LetterFormName) {
  const receive = { thread: 'lamp', text: said, forms: [form] }
  const { timeline } = await loadScenario(story([], [{ after: '1m', receive }]))
  const command = timeline[0]?.commands[0] as CommandOf<'receive-message'>
  const { from, to, text = null, html = null } = command
  return { from, to, text, html }
}

/** Returns what a person reads in a message, in one line. */
function shown({ text, html }: { text: string | null; html: string | null }): string {
  return `${text ?? ''}\n${html === null ? '' : textOfHtml(html)}`.replace(/ ?\n/g, ' ')
}

describe('a form of mail', () => {
  it.each(letterFormNames)('%s keeps what the person says', async (form) => {
    const mail = await told(form)
    expect(mail).toMatchSnapshot()
    expect(shown(mail)).toContain(said)
  })

  it('quoted-printable is the bytes of a message', async () => {
    const text = 'Grüße'
    const forms: LetterFormName[] = ['quoted-printable']
    const message = { from: asked[0]?.from, text, forms }
    const timeline = [{ after: '1m' as const, receive: { thread: 'lamp', text, forms } }]
    const sim = await createSimulator({ scenario: story([message], timeline) })
    await sim.clock.advance('2m')
    const { messages } = sim.mailbox.conversation(sim.threads.list()[0]?.id ?? '')
    expect(messages).toHaveLength(4)
    for (const { id } of messages.slice(-2)) {
      const raw = sim.mailbox.raw(id)
      expect(new TextDecoder().decode(raw)).toContain('Gr=C3=BC=C3=9Fe')
      expect(shown(parseEml(raw))).toContain(text)
    }
  })

  it('is the same for a written message', async () => {
    const message = { from: asked[0]?.from, text: said, forms: ['outlook', 'html-only'] }
    const sim = await createSimulator({ scenario: story([message]) })
    const last = sim.mailbox.conversation(sim.threads.list()[0]?.id ?? '').messages.at(-1)
    expect(last?.text).toBeNull()
    expect(textOfHtml(last?.html ?? '')).toMatch(
      /find the time for it\..*From: support.*Subject: Re: Lamp.*Which order\?/s,
    )
    expect(last?.subject).toBe('Re: Lamp')
  })

  it('is no quotation where there is nothing to quote', async () => {
    const receive = {
      to: 'support',
      subject: 'New',
      text: said,
      forms: ['gmail', 'outlook'] as LetterFormName[],
    }
    const { timeline } = await loadScenario(story([], [{ after: '1m', receive }]))
    expect(timeline[0]?.commands[0]).toMatchObject({ text: said, html: null })
  })

  it.each(letterFormNames.filter(fitsReply))('%s is a reply to what the agent sent', async (form) => {
    const timeline = [
      { when: { sent: {} }, receive: { in_reply_to: 'sent' as const, text: said, forms: [form] } },
    ]
    const run = await openRun({ extend: sendingExtensions, timeline })
    const body = JSON.stringify({ to: 'ann@mail.example', text: 'Which order?' })
    const { messages } = run.simulator.mailbox.conversation(run.idOf('Refund'))
    await run.ask(`/mail/messages/${messages[0]?.id}/reply`, { method: 'POST', body })
    const answer = run.simulator.mailbox.conversation(run.idOf('Refund')).messages.at(-1)
    expect(shown({ text: answer?.text ?? null, html: answer?.html ?? null })).toContain(said)
    expect(JSON.stringify(answer)).not.toContain('{{')
  })

  it.each(letterFormNames.filter((name) => !fitsReply(name)))('%s is refused for a reply', async (form) => {
    const receive = { in_reply_to: 'sent' as const, text: said, forms: [form] }
    await expect(loadScenario(story([], [{ when: { sent: {} }, receive }]))).rejects.toThrow(
      `the form "${form}"`,
    )
  })

  it.each(['outlook', 'odd-name'] as const)('%s of generated mail keeps what it says', async (form) => {
    const generate = { threads: 12, messages: [1, 4] as [number, number] }
    const mailOf = async (forms?: LetterFormName[]) => {
      const identities = [{ handle: 'support', generate: { ...generate, ...(forms && { forms }) } }]
      const sim = await createSimulator({ scenario: { scenario: 'desk', identities } })
      return sim.threads.list().flatMap(({ id }) => sim.mailbox.conversation(id).messages)
    }
    const [plain, formed] = await Promise.all([mailOf(), mailOf([form])])
    expect(formed.map(({ id, subject }) => [id, subject])).toEqual(
      plain.map(({ id, subject }) => [id, subject]),
    )
    expect(formed).not.toEqual(plain)
    for (const [index, message] of plain.entries()) {
      if (message.direction === 'outbound') expect(formed[index]).toEqual(message)
      else {
        const said = shown({ ...message, html: message.text === null ? message.html : null }).trim()
        expect(shown(formed[index] ?? message)).toContain(said)
      }
    }
  })

  it('is given to a share of generated mail, in the bytes as well', async () => {
    const generate = {
      threads: 200,
      messages: 1,
      kinds: ['support' as const],
      forms: { 'html-only': 0.5, list: 0.2 },
    }
    const sim = await createSimulator({
      scenario: { scenario: 'desk', identities: [{ handle: 'support', generate }] },
    })
    const mail = sim.threads.list().flatMap(({ id }) => sim.mailbox.conversation(id).messages)
    const raw = mail.map(({ id }) => new TextDecoder().decode(sim.mailbox.raw(id)))
    expect(mail.filter(({ text }) => text === null).length / mail.length).toBeCloseTo(0.5, 1)
    expect(raw.filter((bytes) => bytes.includes('List-Id: Talk')).length / mail.length).toBeCloseTo(0.2, 1)
    const scenario = {
      scenario: 'desk',
      identities: [{ handle: 'a', generate: { threads: 1, forms: { list: 0.6, gmail: 0.6 } } }],
    }
    await expect(loadScenario(scenario)).rejects.toThrow('expected shares that add up to at most 1')
  })
})
