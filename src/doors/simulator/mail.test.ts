import { expect, it, vi } from 'vitest'
import { mailText } from '../../../test/support/mail-on-disk.js'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { createSimulator } from './create-simulator.js'

const identities = [{ handle: 'support' }, { handle: 'sales' }]
const open = () => createSimulator({ scenario: { scenario: 'mail', identities } })
const support = 'support@agents.example'

/** Returns a message from Ann. */
function mailOf(...lines: string[]): string {
  return ['From: Ann <ann@shop.example>', ...lines, '', 'Hello'].join('\r\n')
}

it('can be spied on', async () => {
  const sim = await open()
  const receive = vi.spyOn(sim.mail, 'receive')
  await sim.mail.receive({ to: 'support' })
  expect(receive).toHaveBeenCalledWith({ to: 'support' })
  vi.spyOn(sim.timeline, 'left', 'get').mockReturnValue(7)
  expect(sim.timeline.left).toBe(7)
})

it('joins the thread of the nearest message to which it refers', async () => {
  const sim = await open()
  const receive = (...lines: string[]) => sim.mail.receive({ to: 'support', eml: mailOf(...lines) })
  const lamp = await receive('Message-ID: <1@x>', 'Subject: Lamp')
  const chair = await receive('Message-ID: <2@x>', 'Subject: Chair')
  const both = await receive('In-Reply-To: <gone@x> <2@x> <1@x>', 'References: <1@x>', 'Subject: Both')
  expect(both.thread).toMatchObject({ id: chair.thread.id, message_count: 2 })
  expect((await receive('Subject: Re: Lamp')).thread.id).toBe(lamp.thread.id)
  expect((await receive('Subject: Lamp')).thread.message_count).toBe(1)
})

it('joins a thread of the scenario, and merges none', async () => {
  const maildir = await folderOf({ 'a.eml': mailText('a', '1'), 'b.eml': mailText('b', '2') })
  const sim = await createSimulator({
    scenario: { scenario: 'mail', identities: [{ handle: 'support', maildir }] },
  })
  expect(sim.threads.list()).toHaveLength(2)
  const both = await sim.mail.receive({ eml: mailText('c', '3', 'References: <a@x> <b@x>') })
  const answer = await sim.mail.receive({ eml: mailText('d', '4', 'In-Reply-To: <b@x>') })
  expect(answer.thread).toMatchObject({ id: both.thread.id, message_count: 3 })
  expect(sim.threads.list()).toHaveLength(2)
})

it('does not add the receiver to the headers of a message', async () => {
  const sim = await open()
  const eml = mailOf('To: List <list@lists.example>', 'Cc: bea@hotel.example', 'Subject: Lamps')
  const { message } = await sim.mail.receive({ to: 'sales', eml })
  expect(message.to).toEqual(['list@lists.example'])
  const hidden = await sim.mail.receive({ to: 'sales', eml: mailOf('To: undisclosed-recipients:;') })
  expect(hidden.message.to).toEqual([])
})

it.each(['To', 'Cc', 'Bcc'])('delivers to an agent in %s', async (field) => {
  const sim = await open()
  const eml = mailOf(...(field === 'To' ? [] : ['To: bea@hotel.example']), `${field}: Support <${support}>`)
  const { message } = await sim.mail.receive({ eml })
  expect(message.to).toEqual([field === 'To' ? support : 'bea@hotel.example'])
})

it.each([
  [mailOf('Subject: x'), 'The message has no recipient; name one with "to"; the agents are support, sales.'],
  [
    mailOf('To: bea@hotel.example', 'Cc: zoe@hotel.example'),
    'No agent of this world is "bea@hotel.example", "zoe@hotel.example"; name the recipient with "to"; the agents are support, sales.',
  ],
])('refuses mail without a known recipient and suggests a remedy: %#', async (eml, message) => {
  await expect((await open()).mail.receive({ eml })).rejects.toMatchObject({
    code: 'unknown-recipient',
    message,
  })
})

it.each(['to', 'cc', 'bcc', 'replyTo'])('refuses an address of several lines in %s', async (field) => {
  const lines = ['support', 'bea@hotel.example\r\nBcc: zoe@hotel.example']
  const sim = await open()
  await expect(sim.mail.receive({ to: 'support', [field]: lines })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('has several lines; make each address an item of the list.'),
  })
})

it.each(['to', 'cc', 'bcc', 'replyTo'])('refuses several addresses in one text in %s', async (field) => {
  const sim = await open()
  for (const addresses of [
    'bea@hotel.example, zoe@hotel.example',
    '<bea@hotel.example> <zoe@hotel.example>',
  ]) {
    await expect(sim.mail.receive({ to: 'support', [field]: ['support', addresses] })).rejects.toMatchObject({
      code: 'invalid',
      message: `"${addresses}" has several addresses; make each address an item of the list.`,
    })
  }
  const name = '"Lee, Ann" <ann@hotel.example>'
  await expect(sim.mail.receive({ to: 'support', [field]: ['support', name] })).resolves.toBeDefined()
})

const severalLines = 'Hello\r\nBcc: zoe@hotel.example'

it.each([
  ['from', { from: `Ann <ann@hotel.example>\nBcc: zoe@hotel.example` }],
  ['inReplyTo', { inReplyTo: severalLines }],
])('refuses several lines in %s, which would add header fields', async (field, input) => {
  const sim = await open()
  const message = expect.stringMatching(`^${field}: ".*" has several lines; give it in one.$`)
  await expect(sim.mail.receive({ to: 'support', ...input })).rejects.toMatchObject({
    code: 'invalid',
    message,
  })
  expect(sim.summary()).toEqual((await open()).summary())
})

it('refuses mail beyond the limits', async () => {
  const receiving = (await open()).mail.receive({ to: 'support', eml: 'X:\n'.repeat(2_001) })
  await expect(receiving).rejects.toMatchObject({
    code: 'too-large',
    message: 'The message cannot be read: it has more than 2,000 header fields.',
  })
})

it('joins the thread of its marked subject, whatever its date', async () => {
  const sim = await open()
  const receive = (day: number, subject: string, thread?: string) => {
    const eml = mailOf(`Date: ${day} Jan 2026 09:00:00 +0000`, `Subject: ${subject}`)
    return sim.mail.receive({ to: 'support', eml, thread })
  }
  const { thread } = await receive(2, 'Lamp')
  expect((await receive(4, 'Re: Lamp')).thread.id).toBe(thread.id)
  expect((await receive(1, 'Re: Lamp')).thread).toMatchObject({ id: thread.id, message_count: 3 })
  expect((await receive(3, 'Lamp')).thread.message_count).toBe(1)
  const chair = await receive(2, 'Chair')
  await receive(3, 'Table', chair.thread.id)
  expect((await receive(4, 'Re: Table')).thread).toMatchObject({ id: chair.thread.id, message_count: 3 })
})

it('joins no thread of another sender by subject, although both wrote to the same agent', async () => {
  const sim = await open()
  const receive = (from: string, day: number, subject: string) => {
    const date = `Date: ${day} Jan 2026 09:00:00 +0000`
    const eml = [`From: ${from}`, `To: ${support}`, date, `Subject: ${subject}`, '', 'Hello'].join('\r\n')
    return sim.mail.receive({ eml })
  }
  await receive('ann@shop.example', 2, 'Re: Lamp')
  expect((await receive('bea@hotel.example', 1, 'Lamp')).thread.message_count).toBe(1)
  expect((await receive('bea@hotel.example', 3, 'Re: Lamp')).thread.message_count).toBe(2)
  expect((await receive('ann@shop.example', 4, 'AW: Lamp')).thread.message_count).toBe(2)
})

it('returns copies, without the fields that responses omit', async () => {
  const sim = await open()
  sim.assumptions.set({
    'messages.empty-body': 'absent',
    'messages.headers': 'list',
    'messages.authentication': 'omitted',
  })
  const { message } = await sim.mail.receive({ to: 'support', eml: mailOf(`To: ${support}`) })
  expect(Object.keys(message)).not.toContain('html')
  ;(message.to as string[]).push('bea@hotel.example')
  ;(message.headers as object[]).length = 0
  expect(sim.mail.get(message.id)).toMatchObject({
    to: [support],
    headers: [{ name: 'From' }, { name: 'To' }],
  })
})
