import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { controlToken, selectedWorld, tokenNeeded } from './control-api.js'
import { moveAmongItems } from './list-keys.js'
import { clock, connection, followWorld, source } from './live-state.js'
import { Field, Notice } from './parts.js'
import { href, isWide, navigate, place, type ScreenName, screens } from './router.js'
import { ControlsScreen } from './screens/controls.js'
import { DeliveriesScreen } from './screens/deliveries.js'
import { GapsScreen } from './screens/gaps.js'
import { MailboxScreen } from './screens/mailbox.js'
import { ReportSummary } from './screens/report-summary.js'
import { StoryScreen } from './screens/story.js'
import { TrafficScreen } from './screens/traffic.js'
import { shownTime } from './time.js'

const components: Readonly<Record<ScreenName, () => preact.JSX.Element>> = {
  mailbox: MailboxScreen,
  traffic: TrafficScreen,
  deliveries: DeliveriesScreen,
  story: StoryScreen,
  gaps: GapsScreen,
  controls: ControlsScreen,
  report: ReportSummary,
}

/** The keys and what they do, for the help dialog. */
const shortcuts: readonly (readonly [string, string])[] = [
  ['1 – 6', 'Mailbox, traffic, deliveries, story, gaps, controls'],
  ['Arrow keys, j, k', 'Move in the list, wherever the focus is'],
  ['Enter', 'Open the selected item'],
  ['Esc', 'Back to the list'],
  ['/', 'Search or filter'],
  ['?', 'Show these keys'],
]

/** Renders the page: the header with navigation and status, the current screen, and the help dialog. */
export function App() {
  const help = useRef<HTMLDialogElement>(null)
  const { screen } = place.value
  const { live } = source.value
  const Screen = components[screen]
  const names = screens.filter((name) => (live ? name !== 'report' : name !== 'controls'))
  useEffect(() => {
    if (!live || tokenNeeded.value) return
    const ended = new AbortController()
    void followWorld(ended.signal)
    return () => ended.abort()
  }, [live, selectedWorld.value, tokenNeeded.value])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => handleKey(event, names, help.current)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [names.length])
  useEffect(() => {
    document.title = `${screen} · mailbox ${live ? 'inspector' : 'report'}`
  }, [screen])
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <h1>{live ? 'Mailbox inspector' : 'Mailbox report'}</h1>
        <nav aria-label="Screens">
          {names.map((name, index) => (
            <a
              key={name}
              href={href(name)}
              aria-current={name === screen ? 'page' : undefined}
              title={`Key ${index + 1}`}
            >
              {name[0]?.toUpperCase() + name.slice(1)}
            </a>
          ))}
        </nav>
        <span class="status">
          {selectedWorld.value !== null && (
            <span>
              {selectedWorld.value} (<a href={`./${location.hash}`}>first world</a>){' '}
            </span>
          )}
          {clock.value && (
            <time class="time" dateTime={clock.value.now} title="Story time">
              <span class="date">{shownTime(clock.value.now).slice(0, 10)}</span>{' '}
              {shownTime(clock.value.now).slice(11)}
            </time>
          )}{' '}
          <span class="badge">{clock.value?.mode}</span>
          <button
            type="button"
            class="small"
            aria-label="Keyboard shortcuts"
            onClick={() => help.current?.showModal()}
          >
            ?
          </button>
        </span>
      </header>
      {live && connection.value === 'lost' && !tokenNeeded.value && (
        <Notice kind="error">The connection to the server is lost. Reconnecting…</Notice>
      )}
      <main id="main" tabIndex={-1}>
        {tokenNeeded.value ? <TokenForm /> : <Screen />}
      </main>
      <dialog ref={help} aria-labelledby="help-title">
        <h2 id="help-title">Keyboard</h2>
        <dl class="fields">
          {shortcuts.map(([keys, meaning]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  )
}

function handleKey(event: KeyboardEvent, names: readonly ScreenName[], help: HTMLDialogElement | null): void {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || help?.open) return
  if (target.matches('input, textarea, select')) {
    if (event.key === 'Escape') target.blur()
    return
  }
  const name = names[Number(event.key) - 1]
  if (name) navigate(href(name))
  else if (event.key === '?') help?.showModal()
  else if (event.key === '/') {
    document.querySelector<HTMLElement>('main input, main select')?.focus()
    event.preventDefault()
  } else if (event.key === 'Escape') backToList()
  else if (!document.querySelector('[role="listbox"]')) moveAmongItems(event)
}

/** Returns from an open item to its list, which a wide screen shows beside it. */
function backToList(): void {
  const { screen, path, query } = place.value
  const list = document.querySelector<HTMLElement>('[role="listbox"]')
  if (list && isWide.value) list.focus()
  else if (path.length > 0) {
    const { compare: _, message: __, ...kept } = Object.fromEntries(query)
    const isAgent = screen === 'mailbox' && query.get('show') === null
    navigate(href(screen, isAgent ? path.slice(0, 1) : [], kept))
  }
}

/** Asks for the control token, which is kept only in memory. */
function TokenForm() {
  const token = useSignal('')
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        controlToken.value = token.value
        tokenNeeded.value = false
      }}
    >
      <h2>Control token</h2>
      <p>This server was started with --control-token. The page keeps the token only in memory.</p>
      <Field
        label="Token"
        type="password"
        required
        value={token.value}
        onInput={(text) => (token.value = text)}
      />
      <button type="submit">Continue</button>
    </form>
  )
}
