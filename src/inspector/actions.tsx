import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type ControlRequest, sendControl } from './control-api.js'
import { source, version } from './live-state.js'
import { Notice } from './parts.js'
import { messageOf } from './resource.js'

/** Renders a button that sends a request to the control API; nothing in a report. */
export function ActionButton({
  request,
  children,
  onDone,
  disabled = false,
  kind = 'button',
  title,
}: {
  request: ControlRequest
  children: ComponentChildren
  /** Called with the answer. */
  onDone?: (answer: unknown) => void
  disabled?: boolean
  kind?: 'button' | 'submit'
  title?: string
}) {
  const state = useSignal<'ready' | 'busy' | 'done' | { readonly error: string }>('ready')
  if (!source.value.live) return null
  const perform = async (event: Event): Promise<void> => {
    event.preventDefault()
    const { form } = event.currentTarget as HTMLButtonElement
    if (kind === 'submit' && form?.reportValidity() === false) return
    state.value = 'busy'
    try {
      const answer = await sendControl(request)
      state.value = 'done'
      version.value++
      onDone?.(answer)
    } catch (error) {
      state.value = { error: messageOf(error) }
    }
  }
  const { value } = state
  return (
    <span class="action">
      <button type={kind} title={title} disabled={disabled || value === 'busy'} onClick={perform}>
        {children}
      </button>
      {value === 'done' && (
        <span role="status" class="done">
          Done
        </span>
      )}
      {typeof value === 'object' && <Notice kind="error">{value.error}</Notice>}
    </span>
  )
}
