import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type ControlRequest, selectedWorld, sendControl, serverUrl } from './control-api.js'
import { curlOf } from './curl.js'
import { source } from './live-state.js'
import { CopyButton, Notice } from './parts.js'
import { messageOf } from './resource.js'

/** An action of the page: a request to the control API, and the equivalent line of TypeScript. */
export interface ControlAction {
  readonly request: ControlRequest
  readonly typescript: string
}

/** Returns the shell command that sends a control request. */
function curlOfAction({ method, path, body, raw }: ControlRequest): string {
  const world = selectedWorld.value
  const type = raw?.type ?? (body === undefined ? undefined : 'application/json')
  return curlOf({
    method,
    url: `${serverUrl}/_sim${path}`,
    headers: {
      ...(world !== null && { 'X-Sim-World': world }),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    data: body === undefined ? null : JSON.stringify(body),
    isFile: raw !== undefined,
  })
}

/** Renders the curl command and the TypeScript of an action, with buttons to copy them. */
export function ActionCode({ request, typescript }: ControlAction) {
  const curl = curlOfAction(request)
  return (
    <div class="code">
      <div>
        <strong>Shell</strong> <CopyButton text={curl} label="Copy curl" />
        <pre>{curl}</pre>
      </div>
      <div>
        <strong>TypeScript</strong> <CopyButton text={typescript} label="Copy TypeScript" />
        <pre>{typescript}</pre>
      </div>
    </div>
  )
}

/** Renders a button that performs an action, and next to it a button that shows the code for it. */
export function ActionButton({
  action,
  children,
  onDone,
  disabled = false,
  kind = 'button',
  title,
}: {
  action: () => ControlAction
  children: ComponentChildren
  /** Called with the answer. */
  onDone?: (answer: unknown) => void
  disabled?: boolean
  kind?: 'button' | 'submit'
  title?: string
}) {
  const state = useSignal<{ busy: boolean; error?: string; done?: boolean }>({ busy: false })
  const code = useSignal(false)
  if (!source.value.live) return null
  const perform = async (event: Event): Promise<void> => {
    const form = (event.currentTarget as HTMLElement).closest('form')
    event.preventDefault()
    if (kind === 'submit' && form && !form.reportValidity()) return
    state.value = { busy: true }
    try {
      const answer = await sendControl(action().request)
      state.value = { busy: false, done: true }
      onDone?.(answer)
    } catch (error) {
      state.value = { busy: false, error: messageOf(error) }
    }
  }
  const { busy, error, done } = state.value
  return (
    <span class="action">
      <button type={kind} title={title} disabled={disabled || busy} onClick={perform}>
        {children}
      </button>
      <button
        type="button"
        class="small quiet"
        aria-expanded={code.value}
        aria-label={`Code of ${action().request.method} ${action().request.path}`}
        title="Show the code of this action"
        onClick={() => {
          code.value = !code.value
        }}
      >
        {'</>'}
      </button>
      {done && (
        <span role="status" class="done">
          Done
        </span>
      )}
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      {code.value && <ActionCode {...action()} />}
    </span>
  )
}

/** What the page can do, each as a request and as code. */
export const controls = {
  receive: (mail: object): ControlAction => ({
    request: { method: 'POST', path: '/messages', body: mail },
    typescript: `sim.mail.receive(${JSON.stringify(mail)})`,
  }),
  receiveFile: (content: string | Blob): ControlAction => ({
    request: { method: 'POST', path: '/messages', raw: { type: 'message/rfc822', content } },
    typescript: "sim.mail.receive({ eml: await readFile('mail.eml') })",
  }),
  markThread: (id: string, unread: boolean): ControlAction => ({
    request: { method: 'POST', path: `/threads/${id}/${unread ? 'unread' : 'read'}` },
    typescript: `sim.threads.${unread ? 'markUnread' : 'markRead'}('${id}')`,
  }),
  outcome: (id: string, outcome: 'delivered' | 'bounced'): ControlAction => ({
    request: { method: 'POST', path: `/messages/${id}/${outcome}` },
    typescript: `sim.mail.${outcome}('${id}')`,
  }),
  redeliver: (id: string): ControlAction => ({
    request: { method: 'POST', path: `/deliveries/${id}/redeliver` },
    typescript: `await sim.deliveries.redeliver('${id}')`,
  }),
  advance: (duration: string): ControlAction => ({
    request: { method: 'POST', path: '/clock', body: { advance: duration } },
    typescript: `await sim.clock.advance('${duration}')`,
  }),
  advanceTo: (instant: string): ControlAction => ({
    request: { method: 'POST', path: '/clock', body: { to: instant } },
    typescript: `await sim.clock.advanceTo('${instant}')`,
  }),
  clockMode: (mode: string): ControlAction => ({
    request: { method: 'POST', path: '/clock', body: { mode } },
    typescript: `sim.clock.setMode('${mode}')`,
  }),
  setAssumption: (gap: string, assumption: string): ControlAction => ({
    request: { method: 'PATCH', path: '/assumptions', body: { [gap]: assumption } },
    typescript: `sim.assumptions.set({ '${gap}': '${assumption}' })`,
  }),
  setProfile: (assumptions: Readonly<Record<string, string>>, name: string): ControlAction => ({
    request: { method: 'PATCH', path: '/assumptions', body: assumptions },
    typescript: `await createSimulator({ assume: '${name}' })`,
  }),
  addFault: (fault: object): ControlAction => ({
    request: { method: 'POST', path: '/faults', body: fault },
    typescript: `sim.faults.add(${JSON.stringify(fault)})`,
  }),
  removeFault: (id: string): ControlAction => ({
    request: { method: 'DELETE', path: `/faults/${id}` },
    typescript: `sim.faults.remove('${id}')`,
  }),
  clearFaults: (): ControlAction => ({
    request: { method: 'DELETE', path: '/faults' },
    typescript: 'sim.faults.clear()',
  }),
  reset: (): ControlAction => ({ request: { method: 'POST', path: '/reset' }, typescript: 'sim.reset()' }),
  fork: (): ControlAction => ({
    request: { method: 'POST', path: '/worlds' },
    typescript: 'const fork = sim.fork()',
  }),
  openAt: (at: number): ControlAction => ({
    request: { method: 'POST', path: '/worlds', body: { at } },
    typescript: `const fork = sim.fork({ at: ${at} })`,
  }),
  deleteWorld: (id: string): ControlAction => ({
    request: { method: 'DELETE', path: `/worlds/${id}` },
    typescript: 'fork.close()',
  }),
  restore: (snapshot: unknown): ControlAction => ({
    request: { method: 'PUT', path: '/snapshot', body: snapshot },
    typescript: 'sim.restore(snapshot)',
  }),
} satisfies Record<string, (...args: never[]) => ControlAction>
