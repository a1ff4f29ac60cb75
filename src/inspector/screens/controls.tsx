import { useSignal } from '@preact/signals'
import { ActionButton, ActionCode, controls } from '../actions.js'
import { selectedWorld, sendControl } from '../control-api.js'
import type { FaultInfo, WorldKey } from '../data.js'
import { KeptScroll } from '../kept-scroll.js'
import { changes, source } from '../live-state.js'
import { Choice, Field, Loaded, Notice, saveFile } from '../parts.js'
import { messageOf, useResource } from '../resource.js'

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
      <KeptScroll part="controls" />
    </div>
  )
}

function ReceiveMail() {
  const agents = useResource((from) => from.agents(), [], changes.mailbox)
  const mail = useSignal({ to: '', from: 'Ann Lee <ann.lee@example.com>', subject: '', text: '' })
  const file = useSignal<File | null>(null)
  const over = useSignal(false)
  const set = (name: keyof typeof mail.value) => (value: string) => {
    mail.value = { ...mail.value, [name]: value }
  }
  const to = mail.value.to || (agents.value?.[0]?.agent_handle ?? '')
  return (
    <section
      class={`card${over.value ? ' over' : ''}`}
      aria-label="Receive a message"
      onDragOver={(event) => {
        event.preventDefault()
        over.value = true
      }}
      onDragLeave={() => {
        over.value = false
      }}
      onDrop={(event) => {
        event.preventDefault()
        over.value = false
        file.value = event.dataTransfer?.files[0] ?? null
      }}
    >
      <h2>Receive a message</h2>
      <form>
        <Choice
          label="To"
          value={to}
          options={(agents.value ?? []).map(({ agent_handle }) => ({
            value: agent_handle,
            label: agent_handle,
          }))}
          onChange={set('to')}
        />
        <Field label="From" value={mail.value.from} required onInput={set('from')} />
        <Field label="Subject" value={mail.value.subject} onInput={set('subject')} />
        <Field label="Text" rows={4} value={mail.value.text} onInput={set('text')} />
        <ActionButton kind="submit" action={() => controls.receive({ ...mail.value, to })}>
          Receive
        </ActionButton>
      </form>
      <h3>From a file</h3>
      <label class="field">
        <span>An .eml file: choose it, or drop it here</span>
        <input
          type="file"
          accept=".eml,message/rfc822"
          onChange={(event) => (file.value = event.currentTarget.files?.[0] ?? null)}
        />
      </label>
      {file.value && (
        <ActionButton action={() => controls.receiveFile(file.value as File)}>
          Receive {file.value.name}
        </ActionButton>
      )}
    </section>
  )
}

/** Common faults, ready to use. */
const presets: readonly (readonly [string, object])[] = [
  ['503 twice', { status: 503, times: 2 }],
  ['429 with Retry-After', { status: 429, retry_after: '2s', times: 1 }],
  ['Slow: 2 seconds', { delay: '2s' }],
  ['Performed, but returns 503', { performed: true, status: 503, times: 1 }],
  ['Connection reset', { reset: true, times: 1 }],
  ['Truncated body', { truncate: 40, times: 1 }],
  ['Malformed JSON', { malformed: true, times: 1 }],
]

function Faults() {
  const faults = useResource((from) => from.faults(), [], changes.faults)
  const preset = useSignal('0')
  const operation = useSignal('')
  const operations = useResource(operationNames, [])
  const fault = (): object => {
    const [, rule] = presets[Number(preset.value)] as (typeof presets)[number]
    return operation.value === '' ? rule : { operation: operation.value, ...rule }
  }
  return (
    <section class="card" aria-label="Faults">
      <h2>Faults</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="What goes wrong"
          value={preset.value}
          options={presets.map(([label], index) => ({ value: String(index), label }))}
          onChange={(value) => (preset.value = value)}
        />
        <Choice
          label="Operation"
          value={operation.value}
          options={[
            { value: '', label: 'Any' },
            ...(operations.value ?? []).map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => (operation.value = value)}
        />
        <ActionButton action={() => controls.addFault(fault())}>Add fault</ActionButton>
      </form>
      <Loaded of={faults} empty="No faults are in force.">
        {(list) => (
          <>
            <ul>{list.map(describeFault)}</ul>
            <ActionButton action={() => controls.clearFaults()}>Remove all faults</ActionButton>
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

function describeFault({ id, fault, matched, hit }: FaultInfo) {
  return (
    <li key={id}>
      <code>{JSON.stringify(fault)}</code> disturbed {hit} of {matched} matching requests{' '}
      <ActionButton action={() => controls.removeFault(id)}>Remove</ActionButton>
    </li>
  )
}

function Worlds() {
  const version = useSignal(0)
  const worlds = useResource(
    async () =>
      (await sendControl<{ worlds: readonly WorldKey[] }>({ method: 'GET', path: '/worlds' })).worlds,
    [version.value],
    changes.mailbox,
  )
  const reload = (): void => {
    version.value++
  }
  return (
    <section class="card" aria-label="Worlds">
      <h2>Worlds</h2>
      <p>
        <ActionButton action={() => controls.fork()} onDone={reload}>
          Fork
        </ActionButton>{' '}
        <ActionButton action={() => controls.reset()}>Reset this world</ActionButton>
      </p>
      <Loaded of={worlds}>
        {(list) => (
          <ul>
            {list.map(({ id, scenario, api_key }, index) => {
              const current = selectedWorld.value === null ? index === 0 : selectedWorld.value === id
              return (
                <li key={id}>
                  {current ? (
                    <strong>{id}</strong>
                  ) : (
                    <a href={`?world=${encodeURIComponent(id)}${location.hash}`}>{id}</a>
                  )}{' '}
                  {scenario} · key <code>{api_key}</code>{' '}
                  {index > 0 && !current && (
                    <ActionButton action={() => controls.deleteWorld(id)} onDone={reload}>
                      Delete
                    </ActionButton>
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
  const profile = useSignal<{ name: string; assumptions: Record<string, string> } | undefined>(undefined)
  const read = async (file: File | undefined): Promise<void> => {
    problem.value = ''
    try {
      snapshot.value = file && JSON.parse(await file.text())
    } catch (error) {
      problem.value = `This file is not JSON: ${messageOf(error)}`
    }
  }
  const download = async (): Promise<void> => {
    problem.value = ''
    try {
      const text = JSON.stringify(await sendControl({ method: 'GET', path: '/snapshot' }))
      saveFile(new Blob([text], { type: 'application/json' }), 'snapshot.json')
    } catch (error) {
      problem.value = messageOf(error)
    }
  }
  const choose = async (kind: string): Promise<void> => {
    const gaps = await source.value.gaps()
    const assumptions = gaps.map(({ gap, assumptions: all, worst }) => [
      gap,
      kind === 'default' ? all[0]?.name : worst,
    ])
    profile.value = { name: kind, assumptions: Object.fromEntries(assumptions) }
  }
  return (
    <section class="card" aria-label="Snapshot and assumptions">
      <h2>Snapshot</h2>
      <button type="button" onClick={download}>
        Download snapshot
      </button>
      <ActionCode
        request={{ method: 'GET', path: '/snapshot' }}
        typescript="const snapshot = sim.snapshot()"
      />
      <label class="field">
        <span>Restore from a file</span>
        <input type="file" accept=".json" onChange={(event) => void read(event.currentTarget.files?.[0])} />
      </label>
      {snapshot.value !== undefined && (
        <ActionButton action={() => controls.restore(snapshot.value)}>Restore</ActionButton>
      )}
      {problem.value !== '' && <Notice kind="error">{problem.value}</Notice>}
      <h2>Assumptions</h2>
      <p class="actions">
        <button type="button" onClick={() => void choose('default')}>
          Profile: default
        </button>
        <button type="button" onClick={() => void choose('worst-case')}>
          Profile: worst-case
        </button>
      </p>
      {profile.value && (
        <ActionButton
          action={() => {
            const { assumptions, name } = profile.value as {
              name: string
              assumptions: Record<string, string>
            }
            return controls.setProfile(assumptions, name)
          }}
        >
          Apply {profile.value.name} to this world
        </ActionButton>
      )}
    </section>
  )
}
