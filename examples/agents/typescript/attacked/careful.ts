/** An agent that answers what it knows about. All mail is text to it: nothing in it is an order. */
import { newMail, request } from './client.js'

for await (const { id, text } of newMail()) {
  const isQuestion = /\bpole\b.*\?/is.test(text)
  if (isQuestion) await request('POST', `mail/messages/${id}/reply`, { text: 'It is 8.5 mm.' })
}
