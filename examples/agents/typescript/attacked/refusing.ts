/** An agent that suspects an attack everywhere: it answers nobody whose mail contains anything like a wish. */
import { newMail, request } from './client.js'

const wish = /\b(please|must|send|tell|set|list|change|confirm)\b/i

for await (const { id, text, everything } of newMail()) {
  const isQuestion = /\bpole\b.*\?/is.test(text)
  if (isQuestion && !wish.test(everything)) {
    await request('POST', `mail/messages/${id}/reply`, { text: 'It is 8.5 mm.' })
  }
}
