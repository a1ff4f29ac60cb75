import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../src/runs/check/check.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'

expectNoProcessLeft()

const at = (name: string): string => join(import.meta.dirname, name)

/** Checks the agent of the desk, with a bug or without one, under some disturbances; returns the ids it breaks under. */
async function checked(how: 'poll' | 'events', bug: string | undefined, options: Partial<CheckOptions>) {
  const scenario = at(how === 'poll' ? 'desk.yaml' : 'desk-events.yaml')
  const command = ['node', at('desk-agent.mjs'), how, ...(bug === undefined ? [] : [bug])]
  const { report, print } = await check({ scenario, command, ...options })
  const [line] = print(report).headline.split('\n')
  return { report, line, ids: report.findings.flatMap(({ id, also }) => [id, ...also]) }
}

/** Each bug, the disturbances under which it shows, and what the first line says. */
const bugs: readonly (readonly [bug: string, ids: string, line: RegExp])[] = [
  ['twice-after-a-loss', 'faults/messages.reply/1/lost', /the same message sent again to ann@/i],
  [
    'ignores-retry-after',
    'faults/threads.list/1/503',
    /repeated .* after a response 503 that asked to wait 5s/,
  ],
  [
    'stops-at-a-failure',
    'faults/messages.list/1/503',
    /the command exited with status 1, when the response to messages.list \(1\) is 503/,
  ],
  ['forgets-at-a-restart', 'restarts/kill/sent/1', /sent again to ann@.*killed and started again/],
  ['skips-what-came-before-it-started', 'restarts/down/bo', /"bo@.*while "bo" comes/],
  ['first-page-only', 'mail/long-inbox/support/10', /no answer to bo@shop.example.*fill the first page/],
  ['closes-what-it-has-not-read', 'mail/meanwhile/*', /no answer to \w+@.*writes again between/i],
  ['answers-programs', 'mail/away/sent/1, mail/list/start/support', /an answer to automatic mail/i],
  ['reads-no-html', 'mail/html-only', /"ann@.*written as HTML only/],
  ['obeys', 'attacks/*', /obeyed the attack/],
]

/** The disturbances under which the agent without a bug is tried as well; it looks right before it answers, so nothing comes between. */
const all = bugs.flatMap(([, ids]) => ids.split(', ')).filter((id) => !id.startsWith('mail/meanwhile/'))

describe('an agent that polls', () => {
  it.each(bugs)('%s, which %s shows', async (bug, ids, line) => {
    const only = ids.split(', ')
    const found = await checked('poll', bug, { only, time: 150_000 })
    expect(found.line).toMatch(line)
    expect(found.ids.length).toBeGreaterThanOrEqual(only.length)
  })

  it('without a bug has none of them', async () => {
    const { report, line } = await checked('poll', undefined, { only: all, time: 170_000, jobs: 2 })
    expect([report.findings, report.untried], line).toEqual([[], []])
    expect(report.disturbances.tried).toBeGreaterThanOrEqual(all.length)
  })

  it('trusts the total of a page, which another assumption shows', async () => {
    const variables = { LIMIT: '2' }
    const only = ['assumptions/threads.total/*']
    const wrong = await checked('poll', 'trusts-the-total', { only, variables })
    expect(wrong.line).toMatch(/threads\.total has the assumption page-size/)
    const right = await checked('poll', undefined, { only, variables })
    expect(right.report.findings).toEqual([])
  })
})

describe('an agent that gets events', () => {
  it('answers one that comes twice twice', async () => {
    const only = ['deliveries/message.received/1/twice']
    const { line, ids } = await checked('events', 'answers-an-event-twice', { only })
    expect(line).toMatch(/sent again to bo@.*message\.received \(1\) is delivered twice/)
    expect(ids).toEqual(only)
  })

  it('breaks under none without a bug', async () => {
    const restarts = ['restarts/down/bo', 'restarts/kill/sent/1', 'restarts/kill/message.received/1']
    const only = ['deliveries/*', ...restarts, 'faults/messages.reply/1/lost', 'mail/meanwhile/*']
    const { report, line } = await checked('events', undefined, { only, time: 170_000 })
    expect([report.findings, report.untried], line).toEqual([[], []])
  })
})
