import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { controlToken, selectedWorld, tokenNeeded } from './control-api.js'
import { clock, connection, followWorld, source } from './live-state.js'
import { Field, Notice } from './parts.js'
import { href, place, type ScreenName, screens } from './router.js'
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

/** Renders the page: the header with navigation and clock, and the current screen. */
export function App() {
  const { screen } = place.value
  const { live } = source.value
  const Screen = components[screen]
  useEffect(() => {
    if (!live || tokenNeeded.value) return
    const ended = new AbortController()
    void followWorld(ended.signal)
    return () => ended.abort()
  }, [live, tokenNeeded.value])
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
          {screens
            .filter((name) => name !== (live ? 'report' : 'controls'))
            .map((name) => (
              <a key={name} href={href(name)} aria-current={name === screen ? 'page' : undefined}>
                {name[0]?.toUpperCase() + name.slice(1)}
              </a>
            ))}
        </nav>
        <Status />
      </header>
      {live && connection.value === 'lost' && !tokenNeeded.value && (
        <Notice kind="error">The connection to the server is lost. Reconnecting…</Notice>
      )}
      <main id="main" tabIndex={-1}>
        {tokenNeeded.value ? <TokenForm /> : <Screen />}
      </main>
    </>
  )
}

/** Renders which world is shown, and its clock. */
function Status() {
  const { value } = clock
  return (
    <span class="status">
      {selectedWorld !== null && (
        <span>
          {selectedWorld} (<a href={`./${location.hash}`}>first world</a>)
        </span>
      )}
      {value && (
        <span class="time">
          story time <time dateTime={value.now}>{shownTime(value.now)}</time>, clock {value.mode}
        </span>
      )}
    </span>
  )
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
