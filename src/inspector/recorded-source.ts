import { signal } from '@preact/signals'
import type { Recording } from '../runs/reports/html.js'
import { type DataSource, lineOf, type SentInfo, type ThreadQuery } from './data.js'
import { clock, exchangeLines, source } from './live-state.js'

/** The recording that the page contains; undefined in the inspector of a running server. */
export const recording = signal<Recording | undefined>(undefined)

/** Makes the page show the recording that it contains instead of a server. */
export function showRecordingIn(text: string): void {
  const recorded = JSON.parse(text) as Recording
  recording.value = recorded
  source.value = createRecordedSource(recorded)
  clock.value = { now: recorded.world.now, mode: recorded.world.clock }
  exchangeLines.value = recorded.exchanges.map(lineOf)
  if (location.hash === '') location.hash = '#/report'
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
