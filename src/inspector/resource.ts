import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DataSource } from './data.js'
import { source } from './live-state.js'

/** The state of a value that a screen reads: loading, failed, or read. */
export interface Resource<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
  readonly loading: boolean
}

/**
 * Reads a value from the page's data source, and again whenever a key or the part changes. The previous value stays on
 * the page until the next one has been read.
 */
export function useResource<Value>(
  read: (from: DataSource) => Promise<Value>,
  keys: readonly unknown[],
  part?: Signal<number>,
): Resource<Value> {
  const state = useSignal<Resource<Value>>({ value: undefined, error: undefined, loading: true })
  const from = source.value
  useEffect(() => {
    let current = true
    read(from).then(
      (value) => {
        if (current) state.value = { value, error: undefined, loading: false }
      },
      (error: unknown) => {
        if (current) state.value = { value: undefined, error: messageOf(error), loading: false }
      },
    )
    return () => {
      current = false
    }
  }, [from, part?.value, ...keys])
  return state.value
}

/** Returns the message to show for a failure. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return 'The server does not respond. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}
