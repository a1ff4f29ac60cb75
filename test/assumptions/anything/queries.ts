import fc from 'fast-check'

type Pair = readonly [name: string, value: string]
type Parameters = Readonly<Record<string, fc.Arbitrary<string>>>

/** Each word as likely as the others. */
const among = (words: string) => fc.constantFrom(...words.split(' '))

/** Known and unknown handles for paths and queries. */
export const handle = among(
  'eva eva eva tom EVA EVA @eva @eva @EVA Night.bot night.bot nobody @nobody rival RIVAL',
)
/** Invalid handles in a path. */
export const oddHandle = among(`%40eva e%20va %zz @ @@eva @e%20va ${'x'.repeat(65)}`)

const huge = '9'.repeat(30)
const mailbox = among(
  'Eva@office.example eva@office.example EVA@office.example TOM@office.example gone@x.example',
)
const limit = fc.oneof(among('1 2 3 50 100 007'), among(`0 101 200 501 -1 -0 abc 1.5 ${huge}`))
const offset = fc.oneof(among('0 1 2 3 -0'), among(`-1 abc 9000 1.5 ${huge} -${huge}`))
const thread = among('thread#0 thread#1 thread#2 thread#3 thread#4 thrd_gone')
const event = among('message.received message.received message.bounced message.read')

const unknown = fc.tuple(among('colour Limit agents'), fc.constantFrom('', 'red', '1'))

/** Returns a pair or nothing, by weight. */
const sometimes = (given: number, left: number, pair: fc.Arbitrary<Pair>): fc.Arbitrary<readonly Pair[]> =>
  fc.oneof({ weight: given, arbitrary: fc.tuple(pair) }, { weight: left, arbitrary: fc.constant([]) })

/** Returns queries with any of the parameters, sometimes with a repeated or unknown one. */
function query(parameters: Parameters): fc.Arbitrary<string> {
  const named = Object.entries(parameters).map(([name, value]) => fc.tuple(fc.constant(name), value))
  const asked = named.map((pair) => sometimes(1, 1, pair))
  const again = sometimes(1, 4, fc.oneof(...named))
  return fc.tuple(...asked, again, sometimes(1, 7, unknown)).map((given) => {
    const texts = given.flat().map((pair) => pair.join('='))
    return texts.length === 0 ? '' : `?${texts.join('&')}`
  })
}

/** Any query of each list. */
export const anyQuery = {
  threads: query({ agent: handle, mailbox, limit, offset }),
  messages: query({ agent: handle, thread_id: thread, limit, offset }),
  webhooks: query({ agent: handle, agent_handle: handle, handle, event, event_type: event, type: event }),
}
