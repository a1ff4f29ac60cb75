import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DataSource } from './data.js'
import { source, version } from './live-state.js'

/** The state of a value that a screen reads: loading, failed, or read. */
export interface Resource<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
}

/**
 * Reads a value from the page's data source, and again whenever a key or the world changes. The previous value stays on
 * the page until the next one has been read.
 */
export function useResource<Value>(
  read: (from: DataSource) => Promise<Value>,
  keys: readonly unknown[] = [],
): Resource<Value> {
  return useRead(read, keys, version.value)
}

/** Reads a value that stays the same whatever happens in the world, and again only when a key changes. */
export function useStable<Value>(
  read: (from: DataSource) => Promise<Value>,
  keys: readonly unknown[],
): Resource<Value> {
  return useRead(read, keys, 0)
}

function useRead<Value>(
  read: (from: DataSource) => Promise<Value>,
  keys: readonly unknown[],
  at: number,
): Resource<Value> {
  const state = useSignal<Resource<Value>>({ value: undefined, error: undefined })
  const turns = useRef({ begun: 0, shown: 0 })
  const from = source.value
  useEffect(() => {
    // What was begun for other keys is not shown.
    turns.current.shown = turns.current.begun
  }, [from, ...keys])
  useEffect(() => {
    const turn = ++turns.current.begun
    const show = (resource: Resource<Value>): void => {
      if (turn <= turns.current.shown) return
      turns.current.shown = turn
      state.value = resource
    }
    read(from).then(
      (value) => show({ value, error: undefined }),
      (error: unknown) => show({ value: undefined, error: messageOf(error) }),
    )
  }, [from, at, ...keys])
  return state.value
}

/** Returns the message to show for a failure. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return 'The server does not respond. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}
