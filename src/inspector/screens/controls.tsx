import { useSignal } from '@preact/signals'
import { ActionButton } from '../actions.js'
import { selectedWorld, sendControl } from '../control-api.js'
import type { WorldKey } from '../data.js'
import { source } from '../live-state.js'
import { Choice, Field, FileField, Loaded, Notice, saveFile, settingsOf } from '../parts.js'
import { messageOf, useResource, useStable } from '../resource.js'

/** Renders the controls of the world: mail, faults, worlds, snapshots. */
export function ControlsScreen() {
  if (!source.value.live)
    return <Notice>A report is a recording. Start the simulator to change a world.</Notice>
  return (
    <div class="page columns">
      <ReceiveMail />
      <Faults />
      <Worlds />
      <Snapshots />
      <Profiles />
    </div>
  )
}

function ReceiveMail() {
  const agents = useResource((from) => from.agents())
  const mail = useSignal({ to: '', from: 'Ann Lee <ann.lee@example.com>', subject: '', text: '' })
  const file = useSignal<File | undefined>(undefined)
  const set = (name: keyof typeof mail.value) => (value: string) => {
    mail.value = { ...mail.value, [name]: value }
  }
  const handles = (agents.value ?? []).map(({ agent_handle }) => agent_handle)
  const to = mail.value.to || (handles[0] ?? '')
  return (
    <section class="card" aria-label="Receive a message">
      <h2>Receive a message</h2>
      <form>
        <Choice
          label="To"
          value={to}
          options={handles.map((handle) => [handle, handle])}
          onChange={set('to')}
        />
        <Field label="From" value={mail.value.from} required onInput={set('from')} />
        <Field label="Subject" value={mail.value.subject} onInput={set('subject')} />
        <Field label="Text" rows={4} value={mail.value.text} onInput={set('text')} />
        <ActionButton
          kind="submit"
          request={{ method: 'POST', path: '/messages', body: { ...mail.value, to } }}
        >
          Receive
        </ActionButton>
      </form>
      <h3>From a file</h3>
      <FileField
        label="An .eml file"
        accept=".eml,message/rfc822"
        onChange={(chosen) => (file.value = chosen)}
      />
      {file.value && (
        <ActionButton
          request={{
            method: 'POST',
            path: '/messages',
            raw: { type: 'message/rfc822', content: file.value },
          }}
        >
          Receive {file.value.name}
        </ActionButton>
      )}
    </section>
  )
}

/** Common faults, ready to use. */
const presets: readonly (readonly [label: string, rule: object])[] = [
  ['503 twice', { status: 503, times: 2 }],
  ['429 with Retry-After', { status: 429, retry_after: '2s', times: 1 }],
  ['Slow: 2 seconds', { delay: '2s' }],
  ['Performed, but returns 503', { performed: true, status: 503, times: 1 }],
  ['Connection reset', { reset: true, times: 1 }],
  ['Truncated body', { truncate: 40, times: 1 }],
  ['Malformed JSON', { malformed: true, times: 1 }],
]

function Faults() {
  const faults = useResource((from) => from.faults())
  const preset = useSignal('0')
  const operation = useSignal('')
  const operations = useStable(operationNames, [])
  const rule = {
    ...(operation.value !== '' && { operation: operation.value }),
    ...presets[Number(preset.value)]?.[1],
  }
  return (
    <section class="card" aria-label="Faults">
      <h2>Faults</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="What goes wrong"
          value={preset.value}
          options={presets.map(([label], index) => [String(index), label])}
          onChange={(value) => (preset.value = value)}
        />
        <Choice
          label="Operation"
          value={operation.value}
          options={[['', 'Any'], ...(operations.value ?? []).map((name) => [name, name] as const)]}
          onChange={(value) => (operation.value = value)}
        />
        <ActionButton request={{ method: 'POST', path: '/faults', body: rule }}>Add fault</ActionButton>
      </form>
      <Loaded of={faults} empty="No faults are in force.">
        {(list) => (
          <>
            <ul>
              {list.map(({ id, fault, matched, hit }) => (
                <li key={id}>
                  {settingsOf(fault)
                    .map((setting) => setting.join(' '))
                    .join(', ')}
                  : disturbed {hit} of {matched} matching requests{' '}
                  <ActionButton request={{ method: 'DELETE', path: `/faults/${id}` }}>Remove</ActionButton>
                </li>
              ))}
            </ul>
            <ActionButton request={{ method: 'DELETE', path: '/faults' }}>Remove all faults</ActionButton>
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Reads the names of the world's operations, those of extensions included. */
async function operationNames(): Promise<string[]> {
  type Operations = Readonly<Record<string, { readonly operationId: string }>>
  const { paths } = await sendControl<{ paths: Readonly<Record<string, Operations>> }>({
    method: 'GET',
    path: '/openapi.json',
  })
  return Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  )
}

function Worlds() {
  const worlds = useResource(
    async () =>
      (await sendControl<{ worlds: readonly WorldKey[] }>({ method: 'GET', path: '/worlds' })).worlds,
  )
  return (
    <section class="card" aria-label="Worlds">
      <h2>Worlds</h2>
      <p class="actions">
        <ActionButton request={{ method: 'POST', path: '/worlds' }}>Fork</ActionButton>
        <ActionButton request={{ method: 'POST', path: '/reset' }}>Reset this world</ActionButton>
      </p>
      <Loaded of={worlds}>
        {(list) => (
          <ul>
            {list.map(({ id, scenario, api_key }, index) => {
              const isShown = selectedWorld === null ? index === 0 : selectedWorld === id
              return (
                <li key={id}>
                  {isShown ? (
                    <strong>{id}</strong>
                  ) : (
                    <a href={`?world=${encodeURIComponent(id)}${location.hash}`}>{id}</a>
                  )}{' '}
                  {scenario} · key <code>{api_key}</code>{' '}
                  {index > 0 && !isShown && (
                    <ActionButton request={{ method: 'DELETE', path: `/worlds/${id}` }}>Delete</ActionButton>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function Snapshots() {
  const snapshot = useSignal<unknown>(undefined)
  const problem = useSignal('')
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    problem.value = ''
    await work().catch((error) => {
      problem.value = messageOf(error)
    })
  }
  const read = (file: File | undefined) =>
    attempt(async () => {
      snapshot.value = file && JSON.parse(await file.text())
    })
  const download = () =>
    attempt(async () => {
      const text = JSON.stringify(await sendControl({ method: 'GET', path: '/snapshot' }))
      saveFile(new Blob([text], { type: 'application/json' }), 'snapshot.json')
    })
  return (
    <section class="card" aria-label="Snapshot">
      <h2>Snapshot</h2>
      <button type="button" onClick={download}>
        Download snapshot
      </button>
      <FileField label="Restore from a file" accept=".json" onChange={read} />
      {snapshot.value !== undefined && (
        <ActionButton request={{ method: 'PUT', path: '/snapshot', body: snapshot.value }}>
          Restore
        </ActionButton>
      )}
      {problem.value !== '' && <Notice kind="error">{problem.value}</Notice>}
    </section>
  )
}

/** Renders the profiles of assumptions, each with a button that applies it. */
function Profiles() {
  const gaps = useResource((from) => from.gaps())
  return (
    <section class="card" aria-label="Assumptions">
      <h2>Assumptions</h2>
      <Loaded of={gaps}>
        {(all) => {
          const byDefault = all.map(({ gap, assumptions }) => [gap, assumptions[0]?.name])
          const worst = all.map((one) => [one.gap, one.worst])
          return (
            <p class="actions">
              <ActionButton
                request={{ method: 'PATCH', path: '/assumptions', body: Object.fromEntries(byDefault) }}
              >
                Apply default
              </ActionButton>
              <ActionButton
                request={{ method: 'PATCH', path: '/assumptions', body: Object.fromEntries(worst) }}
              >
                Apply worst-case
              </ActionButton>
            </p>
          )
        }}
      </Loaded>
    </section>
  )
}
