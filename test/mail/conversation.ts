import type { ScenarioInput, Simulator } from 'agent-mailbox-sim'

interface Written {
  readonly id?: string
  readonly answers?: string
  readonly references?: string
  readonly date?: number
  readonly received?: number
  readonly subject?: string
  readonly from?: string
  readonly cc?: string
}

const bea = 'bea@hotel.example'

/** Mail by day; those on the same day have the same date. */
const written: readonly Written[] = [
  { id: '<1@x>', date: 1, subject: 'Lamp' },
  { id: '<2@x>', date: 1, subject: 'Chairs', from: bea },
  { id: '<3@x>', date: 2, subject: 'Other', answers: '<1@x>' },
  { id: '<4@x>', date: 2, subject: 'Re: [list] Lamp' },
  { id: '<5@x>', date: 3, subject: 'Re: Chairs', references: '<0@x> <2@x>', from: bea },
  { id: '<5@x>', date: 3, subject: 'Chairs', cc: bea },
  { date: 4, subject: 'AW: Lamp', from: bea },
  { id: '<7@x>', date: 4, subject: 'Missing', references: '<8@x> <9@x>' },
  { date: 5, subject: '', answers: `Your mail <9@x> to <${bea}>` },
  { id: '<8@x>', date: 6, subject: 'Lamp (fwd)', cc: bea },
  { date: 7, received: 8, subject: 'Re: Chairs', from: bea },
  { received: 7, subject: '', answers: '<1@x>', references: '<2@x>' },
  { id: '<10@x>', date: 9, subject: 'Itself', answers: '<10@x>' },
  { id: '<11@x>', date: 9, subject: 'Later', answers: '<5@x>' },
  { date: 9, subject: 'Re: Itself', references: '<ann@shop.example>' },
  { date: 9, subject: 'Re: Other' },
  { subject: 'Re: Lamp' },
]

/** Mails that name each other, what is missing and themselves; some have no date, or no Message-ID of their own. */
export const conversation: readonly string[] = written.map((mail, number) => {
  const { id, answers, references, date, received, subject, from = 'ann@shop.example', cc } = mail
  const day = (of: number | undefined) => of && `${of} Jan 2026 09:00:00 +0000`
  const fields = {
    ...{ From: from, To: 'support@agents.example', Cc: cc, Subject: subject, 'Message-ID': id },
    ...{ 'In-Reply-To': answers, References: references, Date: day(date) },
    Received: received && `by x; ${day(received)}`,
  }
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return [...lines, '', `Mail ${number}`].join('\r\n')
})

type Support = NonNullable<ScenarioInput['identities']>[number]

/** A scenario with one mailbox, which starts later than all mail of `conversation`. */
export function oneMailbox(support: Partial<Support>, more: Partial<ScenarioInput> = {}): ScenarioInput {
  const identity = { handle: 'support', mailbox_address: 'support@agents.example', ...support }
  return { scenario: 'mail', start: '2026-02-01T00:00:00Z', ...more, identities: [identity] } as ScenarioInput
}

/** The texts of the mails of each thread, with the fields of the thread. */
export function threadsOf({ mailbox }: Simulator): string[] {
  const lines = mailbox.threads({ limit: 100 }).threads.map(({ id, subject, message_count }) => {
    const texts = mailbox.conversation(id).messages.map(({ text }) => text)
    return `${subject} (${message_count}): ${texts.toSorted().join(', ')}`
  })
  return lines.toSorted()
}
