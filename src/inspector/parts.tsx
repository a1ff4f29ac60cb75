import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { counted } from '../base/text.js'
import type { ExchangeLine, ExpectationState } from './data.js'
import { clock } from './live-state.js'
import type { Resource } from './resource.js'
import { requestHref } from './router.js'
import { exactTime, shortTime, shownTime, timeDistance } from './time.js'

/** Renders a resource's value, or a notice that it is loading, has failed or is an empty list. */
export function Loaded<Value>({
  of: { value, error },
  empty,
  children,
}: {
  of: Resource<Value>
  empty?: string
  children: (value: Value) => ComponentChildren
}) {
  if (error !== undefined) return <Notice kind="error">{error}</Notice>
  if (value === undefined) return <Notice>Loading…</Notice>
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

/** Renders what is folded, which is only rendered once it is open. */
export function Folded({
  summary,
  open: initially = false,
  children,
}: {
  summary: ComponentChildren
  open?: boolean
  children: () => ComponentChildren
}) {
  const open = useSignal(initially)
  return (
    <details open={initially} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open.value && children()}
    </details>
  )
}

/**
 * Renders an instant of story time, short where it is clear beside the current story time; the tooltip has it in full, with
 * its distance. `exact` adds the seconds.
 */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const now = clock.value?.now
  const title = `${at}, story time${now === undefined ? '' : `\n${timeDistance(at, now)}`}`
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

/** Renders what is special about a request and its response. */
export function RequestMarks({ line }: { line: ExchangeLine }) {
  const { gaps, fault, near_miss, via, start, hints, replayed } = line
  const marks: readonly (readonly [kind: string, text: string | false, title: string])[] = [
    ['', start !== undefined && `start ${start}`, "The start of the agent's program that sent the request"],
    ['mcp', via === 'mcp' && 'MCP', 'A tool call of the Model Context Protocol'],
    ['fault', fault !== null && 'fault', 'A fault disturbed the response'],
    ['fault', hints.length > 0 && 'hidden mistake', hints.join('\n')],
    ['gap', replayed !== null && 'repeated', 'It had no effect: its Idempotency-Key was used before'],
    ['none', near_miss !== null && 'no operation', near_miss ?? ''],
    ['gap', gaps.length > 0 && counted(gaps.length, 'gap'), `The response depends on ${gaps.join(', ')}`],
  ]
  return (
    <span class="marks">
      {marks.map(([kind, text, title]) => {
        return (
          text && (
            <span key={text} class={`badge ${kind}`.trim()} title={title}>
              {text}
            </span>
          )
        )
      })}
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
        <textarea value={value} onInput={input} dir="auto" rows={rows} required={rest.required} />
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
  /** The values with their labels. */
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Renders the field that chooses a file. */
export function FileField({
  label,
  accept,
  onChange,
}: {
  label: string
  accept: string
  onChange: (file: File | undefined) => void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="file" accept={accept} onChange={(event) => onChange(event.currentTarget.files?.[0])} />
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

/** Returns the settings of a fault as names and values to read: `retry after`, `2s`. */
export function settingsOf({ id: _, ...settings }: object & { readonly id?: string }) {
  return Object.entries(settings).map(([name, value]) => {
    const text = typeof value === 'string' ? value : value === true ? 'yes' : JSON.stringify(value)
    return [name.replaceAll('_', ' '), text] as const
  })
}

/** Renders the header fields of a request or a response. */
export function Headers({ of }: { of: Readonly<Record<string, string>> }) {
  return (
    <Folded summary={counted(Object.keys(of).length, 'header')}>
      {() => <FieldList rows={Object.entries(of)} />}
    </Folded>
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

/** Renders an expectation, and why it is not met, with what came closest. */
export function ExpectationLine({ expectation }: { expectation: ExpectationState }) {
  const { passed, describe, expected, found, nearest } = expectation
  return (
    <li class={passed ? 'passed' : 'failed'}>
      <strong>
        <span aria-hidden="true">{passed ? '✓' : '✗'}</span> {passed ? 'Met' : 'Not met'}: {describe}
      </strong>
      {!passed && (
        <p>
          Expected: {expected}. Found: {found}.
        </p>
      )}
      {!passed && nearest && (
        <p>
          {nearest.surplus ? 'Too many' : 'Closest'}:{' '}
          {nearest.exchange === null ? (
            nearest.line
          ) : (
            <a href={requestHref(nearest.exchange)}>{nearest.line}</a>
          )}
          {nearest.differences.length > 0 && ` (${nearest.differences.join('; ')})`}
        </p>
      )}
    </li>
  )
}
