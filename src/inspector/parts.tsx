import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ExpectationState } from './data.js'
import { clock, wallTimes } from './live-state.js'
import type { Resource } from './resource.js'
import { href } from './router.js'
import { exactTime, shortTime, shownTime, timeDistance } from './time.js'

/** Renders a resource's value, or a notice that it is loading, has failed or is an empty list. */
export function Loaded<Value>({
  of: { value, error, loading },
  empty,
  children,
}: {
  of: Resource<Value>
  empty?: string
  children: (value: Value) => ComponentChildren
}) {
  if (value === undefined) {
    if (error !== undefined) return <Notice kind="error">{error}</Notice>
    return loading ? <Notice>Loading…</Notice> : null
  }
  if (empty !== undefined && Array.isArray(value) && value.length === 0) return <Notice>{empty}</Notice>
  return <>{children(value)}</>
}

export function Notice({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'error'
  children: ComponentChildren
}) {
  return (
    <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </p>
  )
}

/**
 * Renders an instant of story time, short where it is clear beside the current story time; the tooltip has it in full, with
 * its distance and its wall time. `exact` adds the seconds.
 */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const now = clock.value?.now
  const wall = wallTimes.of(at)
  const title = [
    `${at}, story time`,
    now === undefined ? [] : timeDistance(at, now),
    wall === undefined ? [] : `${new Date(wall).toLocaleString('en-GB')}, wall time`,
  ]
    .flat()
    .join('\n')
  return (
    <time class="time" dateTime={at} title={title}>
      {now === undefined ? shownTime(at) : exact ? exactTime(at, now) : shortTime(at, now)}
    </time>
  )
}

export function StatusBadge({ status }: { status: number }) {
  const kind = status === 0 ? 'none' : `s${Math.floor(status / 100)}`
  return <span class={`badge ${kind}`}>{status === 0 ? 'no response' : status}</span>
}

/** Renders the mark of a request that was a tool call. */
export function ToolCallBadge() {
  return (
    <span class="badge mcp" title="A tool call of the Model Context Protocol">
      MCP
    </span>
  )
}

/** Renders which start of the agent's program sent a request; nothing if the story never starts it again. */
export function StartBadge({ start }: { start: number | undefined }) {
  if (start === undefined) return null
  return (
    <span class="badge" title="The start of the agent's program that sent the request">
      start {start}
    </span>
  )
}

/** Renders a text field with its label. */
export function Field({
  label,
  value,
  onInput,
  rows,
  ...rest
}: {
  label: string
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'search' | 'password'
  placeholder?: string
  required?: boolean
  rows?: number
}) {
  const input = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: either branch renders the control inside the label.
    <label class="field">
      <span>{label}</span>
      {rows === undefined ? (
        <input value={value} onInput={input} dir="auto" {...(rest as object)} />
      ) : (
        <textarea value={value} onInput={input} dir="auto" rows={rows} />
      )}
    </label>
  )
}

/** Renders a select with its label. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string) => void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Renders a list of names and values. */
export function FieldList({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  if (rows.length === 0) return null
  return (
    <dl class="fields">
      {rows.map(([name, value], index) => (
        <div key={`${name} ${index}`}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Renders tabs; shows the panel of the selected tab. */
export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly (readonly [string, () => ComponentChildren])[]
}) {
  const chosen = useSignal(0)
  const at = Math.min(chosen.value, tabs.length - 1)
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    chosen.value = (at + step + tabs.length) % tabs.length
    const list = event.currentTarget as HTMLElement
    ;(list.children[chosen.value] as HTMLElement).focus()
    event.stopPropagation()
  }
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([name], index) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={index === at}
            tabIndex={index === at ? 0 : -1}
            onClick={() => {
              chosen.value = index
            }}
          >
            {name}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard. */}
      <div role="tabpanel" tabIndex={0} aria-label={tabs[at]?.[0]}>
        {tabs[at]?.[1]()}
      </div>
    </div>
  )
}

/** Renders text such as a body; JSON is pretty-printed. */
export function Source({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard.
    <pre class="source" dir="auto" tabIndex={0}>
      {layOut(text)}
    </pre>
  )
}

/** Pretty-prints JSON; returns any other text unchanged. */
export function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Renders a button that copies text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copied = useSignal(false)
  return (
    <button
      type="button"
      class="small"
      onClick={async () => {
        await navigator.clipboard?.writeText(text)
        copied.value = true
      }}
    >
      {copied.value ? 'Copied' : label}
    </button>
  )
}

/** Saves content as a file of the user. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

/** Renders text of the register; parts between backticks become code. */
export function Prose({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  )
}

/** Renders why an expectation does not hold, with what came closest. */
export function UnmetExpectation({
  expectation: { expected, found, nearest },
}: {
  expectation: ExpectationState
}) {
  return (
    <>
      <p>
        Expected: {expected}. Found: {found}.
      </p>
      {nearest && (
        <p>
          {nearest.surplus ? 'Too many' : 'Closest'}:{' '}
          {nearest.exchange === null ? (
            nearest.line
          ) : (
            <a href={href('traffic', [String(nearest.exchange)])}>{nearest.line}</a>
          )}
          {nearest.differences.length > 0 && ` (${nearest.differences.join('; ')})`}
        </p>
      )}
    </>
  )
}
