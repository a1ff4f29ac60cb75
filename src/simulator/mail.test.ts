import { expect, it } from 'vitest'
import { createSimulator } from './create-simulator.js'

it('mail that comes in joins the thread of any mail it answers, a new subject or not', async () => {
  const sim = await createSimulator({ scenario: { scenario: 'mail', identities: [{ handle: 'support' }] } })
  const receive = (...lines: string[]) => {
    return sim.mail.receive({
      to: 'support',
      eml: ['From: ann@shop.example', ...lines, '', 'Hello'].join('\r\n'),
    })
  }
  const lamp = await receive('Message-ID: <1@x>', 'Subject: Lamp')
  const chair = await receive('Message-ID: <2@x>', 'Subject: Chair')
  const both = await receive('In-Reply-To: <gone@x> <2@x> <1@x>', 'References: <1@x>', 'Subject: Both')
  expect(both.thread.id).toBe(chair.thread.id)
  const again = await receive('Subject: Re: Lamp')
  expect([lamp.thread.id, chair.thread.id]).not.toContain(again.thread.id)
})
