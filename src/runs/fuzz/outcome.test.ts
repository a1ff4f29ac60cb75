import { expect, it } from 'vitest'
import { type Outcome, omissionOf } from './outcome.js'

const thread = 'thrd_1'
const ann = { to: 'ann@mail.example', subject: 'Hello', thread }

function outcome(context: string | null, ...texts: string[]): Outcome {
  const sent = new Map(texts.length > 0 ? [[ann.to, { ...ann, texts, context }]] : [])
  return { sent, read: new Set(texts.length > 0 ? [thread] : []), arrived: [] }
}

/** Ann wrote first or last in a thread, and whoever wrote last is answered. */
function lastOf(to: string, ...messages: string[]): Outcome {
  const arrived = messages.map((message) => ({ message, thread })) as never
  return { sent: new Map([[to, { ...ann, to, texts: ['Yes.'], context: null }]]), read: new Set(), arrived }
}

const late = [{ message: 'msg_2', thread, command: {} }] as never
const elsewhere = { ...outcome(null, 'Yes.'), arrived: [{ message: 'msg_2', thread: 'thrd_2' }] as never }
const [something, nothing] = [outcome(null, 'Yes.'), outcome(null)]

it.each<[string, Parameters<typeof omissionOf>, string | undefined]>([
  ['mail that is not sent', [something, nothing, [], false], 'sends less'],
  ['what a client that ends may not have seen', [something, nothing, late, true, nothing], undefined],
  ['what it does without the later mail, too', [something, nothing, late, true, something], 'sends less'],
  [
    'mail in a thread that later mail joined in only one of them',
    [elsewhere, nothing, late, false],
    undefined,
  ],
  [
    'an answer to somebody else who wrote last only there',
    [lastOf(ann.to, 'msg_2', 'msg_1'), lastOf('bo@mail.example', 'msg_1', 'msg_2'), late, false],
    undefined,
  ],
  [
    'an answer to somebody else although the same wrote last',
    [lastOf(ann.to, 'msg_2', 'msg_1'), lastOf('bo@mail.example', 'msg_2', 'msg_1'), late, false],
    'sends less',
  ],
  ['another text', [something, outcome(null, 'No.'), [], false], 'sends something else'],
  [
    'another text for another message',
    [outcome('a', 'Yes.'), outcome('b', 'No.'), [], false],
    'sends something else',
  ],
  [
    'another text after somebody has answered only there',
    [
      outcome('a', 'Which?'),
      { ...outcome('b', 'Yes.'), arrived: [{ message: 'msg_3', thread, reacts: true }] as never },
      [],
      false,
    ],
    undefined,
  ],
  ['other words for the same message', [outcome('a', 'Yes.'), outcome('a', 'Sure.'), [], false], undefined],
])('judges %s', (_, plays, kind) => {
  expect(omissionOf(...plays)?.kind).toBe(kind)
})
