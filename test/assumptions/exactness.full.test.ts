import { describe, expect, it } from 'vitest'
import { assumptionsOf, defaultAssumptions, gapIds } from '../../src/contract/gaps.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { type Mailbox, openMailbox, textOf, threadsPath } from '../conformance/mailbox.js'
import { requestsIn } from '../conformance/requests.js'
import { keys } from '../conformance/scenario.js'
import { cases } from './cases/index.js'
import { type Asking, ask, type GapCase, isRequestGap, type RequestGap } from './gap-case.js'

/** A request of a case, asked under assumptions. */
interface Situation extends Pick<GapCase<RequestGap>, 'prepare'> {
  readonly assumptions: Readonly<Record<string, string>>
  readonly request: Asking
}

const requestGaps = gapIds.filter(isRequestGap)

/** Returns all of an answer as text, after a gap's assumption was changed right before the request. */
async function outcomeOf(
  mailbox: Mailbox,
  { assumptions, prepare, request }: Situation,
  change: Readonly<Record<string, string>> = {},
): Promise<string> {
  mailbox.simulator.reset()
  mailbox.simulator.assumptions.set(assumptions)
  await prepare?.(mailbox)
  const asked = typeof request === 'function' ? await request(mailbox) : request
  mailbox.simulator.assumptions.set(change)
  const { status, headers, body } = await ask(mailbox, asked)
  return [status, ...[...headers].map(String), Buffer.from(body).toString('latin1')].join('\n')
}

/** Returns what shows from now on whether listing the messages of a thread has marked it read: the list itself does not. */
async function shownLater(mailbox: Mailbox): Promise<string> {
  mailbox.simulator.assumptions.set(defaultAssumptions)
  const lists = [keys.own, keys.other].map((key) => mailbox.get(threadsPath({ limit: 100 }), { key }))
  return (await Promise.all(lists)).map(textOf).join('\n')
}

/** Returns the assumptions with another outcome by gap, found by trying every one. */
async function tried(mailbox: Mailbox, situation: Situation): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  const here = await outcomeOf(mailbox, situation)
  const hereLater = here + (await shownLater(mailbox))
  for (const gap of requestGaps) {
    const showsLater = gap === 'threads.unread-after-read'
    const instead: string[] = []
    for (const { name } of assumptionsOf(gap)) {
      if (name === situation.assumptions[gap]) continue
      const there = await outcomeOf(mailbox, situation, { [gap]: name })
      const differs = showsLater ? there + (await shownLater(mailbox)) !== hereLater : there !== here
      if (differs) instead.push(name)
    }
    if (instead.length > 0) found[gap] = instead.toSorted()
  }
  return found
}

const ofCases = requestGaps.map((gap): [string, Situation] => {
  const { prepare, request, assumptions = {} } = cases[gap] as GapCase<RequestGap>
  return [gap, { assumptions, request, ...(prepare && { prepare }) }]
})

const ofManyGaps = requestsIn(`
  GET /api/v1/mail/threads?agent=eva&limit=101
  GET /api/v1/mail/threads?agent=@eva&mailbox=EVA.LIND@harbour.example&limit=0&offset=-1
  GET /api/v1/mail/threads?agent=nobody&agent=eva&colour=red
  GET /api/v1/mail/threads/?limit=2 | authorization: Bearer whoever
  GET /api/v1/mail/messages?agent=eva&limit=501&offset=2
  GET /api/v1/mail/messages?agent=@nobody&thread_id=thrd_gone&limit=-1
  GET /api/v1/webhooks?agent=eva&handle=max&type=message.bounced
  GET /api/v1/webhooks?agent_handle=nobody | authorization:
  GET /api/v1/identities/@EVA | origin: https://app.example
  GET /api/v1/identities/RIVAL | authorization: Bearer key-rival
  GET /api/v1/identities/e%20va | authorization:
  PATCH /api/v1/identities/@EVA {"display_name": null, "mood": 7}
  PATCH /api/v1/identities/eva {} | content-type: text/plain
  PATCH /api/v1/identities/nobody {"description": "x{110000}"} | content-type:
  PATCH /api/v1/identities/eva {
  DELETE /api/v1/identities/EVA/
  OPTIONS /api/v1/mail/threads/ | authorization: ; origin: https://app.example
  HEAD /api/v1/webhooks/
  GET /api/v1/mail/drafts | authorization: Basic a2V5Og==
  GET /attachments/att_0/gone.txt | authorization:
`).map(({ name, ...request }): [string, Situation] => {
  return [name, { assumptions: {}, request: { ...request, key: null } }]
})

describe.each([
  ['default', ofCases],
  // It refuses little, so that a request meets many gaps.
  ['seed:113', ofManyGaps],
] as const)('the reliances of an exchange under %s', (profile, situations) => {
  it.each(situations)('equal those found by trying every assumption: %s', async (_, situation) => {
    const assumptions = { ...profileAssumptions(profile), ...situation.assumptions }
    const mailbox = await openMailbox()
    await outcomeOf(mailbox, { ...situation, assumptions })
    const reliances = mailbox.simulator.journal.exchanges().at(-1)?.reliances ?? []
    const noted = reliances.map(({ gap, instead }) => [gap, instead.toSorted()] as const)
    expect(Object.fromEntries(noted)).toEqual(await tried(mailbox, { ...situation, assumptions }))
  })
})
