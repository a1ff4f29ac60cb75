import type { WorldSummary } from '../simulator/summary.js'

/** `1 thread`, `12,345 threads`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`
}

/** `12,345`. */
export function formatNumber(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** How much a world holds, e.g. `3 agents, 402 threads, 1,204 messages, 3 webhooks`. */
export function formatSummary({ agents, threads, messages, webhooks }: WorldSummary): string {
  return [
    formatCount(agents, 'agent'),
    formatCount(threads, 'thread'),
    formatCount(messages, 'message'),
    formatCount(webhooks, 'webhook'),
  ].join(', ')
}
