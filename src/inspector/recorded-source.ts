import { signal } from '@preact/signals'
import type { Recording, SharedRecording } from '../runs/reports/report.js'
import { type DataSource, lineOf, type SentInfo, type ThreadQuery } from './data.js'
import { clock, exchangeLines, source } from './live-state.js'

/** The recording that the page contains; undefined in the inspector of a running server. */
export const recording = signal<Recording | undefined>(undefined)

/** The play that a page shows first, which a folder of results keeps. */
let first: RecordedPlay = {}

/** Makes the page show the recording that it contains instead of a server. */
export function showRecordingIn(text: string): void {
  const { bodies = [], ...recorded } = JSON.parse(text) as Recording & SharedRecording
  const { beside, others = [] } = recorded
  first = recorded
  showRecording({
    ...withBodies(recorded, bodies),
    beside: beside && withBodies(beside, bodies),
    others: others.map((one) => withBodies(one, bodies)),
  })
}

/** Puts bodies that are written once where they occur. */
function withBodies<Run extends Pick<Recording, 'exchanges'>>(run: Run, bodies: readonly string[]): Run {
  const whole = (body: string | number | null): string | null => {
    return typeof body === 'number' ? (bodies[body] ?? null) : body
  }
  const exchanges = run.exchanges.map((exchange) => {
    const { request, response } = exchange
    return {
      ...exchange,
      request: { ...request, body: whole(request.body) },
      response: { ...response, body: whole(response.body) },
    }
  })
  return { ...run, exchanges }
}

function showRecording(recorded: Recording): void {
  recording.value = recorded
  source.value = createRecordedSource(recorded)
  clock.value = { now: recorded.world.now, mode: recorded.world.clock }
  exchangeLines.value = recorded.exchanges.map(lineOf)
  if (location.hash === '') location.hash = '#/report'
}

/** Makes the page show the run that the recording is compared with, and compares it with the former. */
export function showBeside(): void {
  if (!recording.value) return
  const { beside, ...before } = recording.value
  if (beside) showRecording({ ...before, ...beside, beside: before })
}

/** The name of one of the plays that a page has recorded. */
export type RecordedPlay = Pick<Recording, 'play' | 'trial'>

/** Returns whether the page shows a play, or can show it. */
export function hasPlay(wanted: RecordedPlay): 'shown' | 'recorded' | undefined {
  const shown = recording.value
  if (shown && isPlay(shown, wanted)) return 'shown'
  return shown?.others?.some((one) => isPlay(one, wanted)) ? 'recorded' : undefined
}

/** Makes the page show another play that it has recorded. */
export function showPlay(wanted: RecordedPlay): void {
  if (!recording.value) return
  const { others = [], ...before } = recording.value
  const found = others.find((one) => isPlay(one, wanted))
  if (found) {
    const left = others.filter((one) => one !== found)
    showRecording({ ...before, ...found, others: [before, ...left] })
  }
}

/** Returns whether the play that the page shows is the one that a folder of results keeps. */
export function isKept(): boolean {
  return recording.value !== undefined && isPlay(recording.value, first)
}

function isPlay({ play, trial }: RecordedPlay, wanted: RecordedPlay): boolean {
  return play === wanted.play && trial === wanted.trial
}

/** Creates a data source that reads from a recording, without a server. */
function createRecordedSource(recorded: Recording): DataSource {
  const { conversations, exchanges } = recorded
  const unavailable = async (): Promise<never> => {
    throw new Error('A report does not contain this; open the scenario in a running server to see it.')
  }
  return {
    live: false,
    world: async () => recorded.world,
    agents: async () => recorded.agents,
    threads: async (query) => threadPage(recorded, query),
    conversation: async (id) => conversations.find(({ thread }) => thread.id === id) ?? unavailable(),
    sent: async () => sentIn(recorded),
    raw: unavailable,
    attachment: unavailable,
    lines: async () => exchanges.map(lineOf),
    exchange: async (number) => exchanges.find(({ seq }) => seq === number),
    repeat: unavailable,
    deliveries: async () => recorded.deliveries,
    subscriptions: async () => recorded.subscriptions,
    timeline: async () => recorded.timeline,
    expectations: async () => recorded.expectations,
    gaps: async () => recorded.gaps,
    reliances: async () => recorded.reliances,
    faults: async () => recorded.faults,
    changes: async () => recorded.changes,
  }
}

function threadPage({ conversations }: Recording, { agent, search, offset, limit }: ThreadQuery) {
  const pattern = search.toLowerCase()
  const threads = conversations
    .map(({ thread }) => thread)
    .filter(({ agent_handle, subject, snippet, last_message }) => {
      const { from = '', to = [] } = last_message ?? {}
      const text = [subject, snippet, from, ...to].join(' ').toLowerCase()
      return (agent === '' || agent_handle === agent) && text.includes(pattern)
    })
  return { threads: threads.slice(offset, offset + limit), total: threads.length }
}

function sentIn({ conversations }: Recording): readonly SentInfo[] {
  return conversations
    .flatMap(({ thread: { agent_handle }, messages }) => {
      return messages.map((message) => ({ ...message, agent_handle }))
    })
    .filter(({ exchange }) => exchange !== null)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
}
