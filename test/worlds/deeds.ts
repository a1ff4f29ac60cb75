import type { Simulator } from 'agent-mailbox-sim'
import type { Deed } from './script.js'

/** What the numbers in a deed stand for. */
export interface Named {
  readonly thread?: string | undefined
  readonly message?: string | undefined
}

/** Does something to a world; gives what came of it: ids, what went wrong, or nothing. */
export type Doer = (deed: Deed, named: Named) => Promise<string>

const minute = 60_000

/** Does it through the library. */
export function libraryDoer(simulator: Simulator): Doer {
  let kept = simulator.snapshot()
  const perform = async (
    deed: Deed,
    { thread = 'thrd_none', message }: Named,
  ): Promise<string | undefined> => {
    switch (deed.deed) {
      case 'receive':
      case 'send': {
        const { agent } = deed
        const fields = {
          text: 'Hello',
          ...(message === undefined ? { subject: 'New' } : { inReplyTo: message }),
        }
        const file =
          'file' in deed && deed.file !== null ? [{ filename: 'note.txt', content: btoa(deed.file) }] : []
        const stored =
          deed.deed === 'receive'
            ? await simulator.mail.receive({
                to: agent,
                from: 'Bob <bob@mail.example>',
                attachments: file,
                ...fields,
              })
            : await simulator.mail.send({ from: agent, to: 'bob@mail.example', ...fields })
        return `${stored.message.id} ${stored.thread.id}`
      }
      case 'mark':
        return (deed.unread ? simulator.threads.markUnread(thread) : simulator.threads.markRead(thread)).id
      case 'advance':
        await simulator.clock.advance(deed.minutes * minute)
        return simulator.clock.now()
      case 'fault':
        return simulator.faults.add(deed.fault).id
      case 'clear-faults':
        return void simulator.faults.clear()
      case 'readings':
        return void simulator.readings.set(deed.readings)
      case 'hire':
        return simulator.identities.create({ handle: deed.handle }).id
      case 'fire':
        return void simulator.identities.delete(deed.handle)
      case 'subscribe':
        return simulator.webhooks.create(subscription(deed.port)).id
      case 'keep':
        kept = simulator.snapshot()
        return undefined
      case 'restore':
        return void simulator.restore(kept)
      case 'reset':
        return void simulator.reset()
    }
  }
  return async (deed, named) => {
    try {
      return (await perform(deed, named)) ?? 'done'
    } catch (error) {
      return (error as { code: string }).code.replaceAll('-', '_')
    }
  }
}

/** Does it through the control API of a server; it is what it goes back to from the very start. */
export async function controlDoer(url: string, world: string): Promise<Doer> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'x-sim-world': world, ...(method !== 'GET' && { 'content-type': 'application/json' }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${url}/_sim${path}`, { method, headers, ...sent })
    const text = await answer.text()
    return text === '' ? {} : JSON.parse(text)
  }
  const snapshot = () => ask('GET', '/snapshot')
  let kept: unknown = await snapshot()
  const perform = async (deed: Deed, { thread = 'thrd_none', message }: Named) => {
    switch (deed.deed) {
      case 'receive':
      case 'send':
        return ask('POST', '/messages', mailBody(deed, message))
      case 'mark':
        return ask('POST', `/threads/${thread}/${deed.unread ? 'unread' : 'read'}`)
      case 'advance':
        return ask('POST', '/clock', { advance: `${deed.minutes}m` })
      case 'fault':
        return ask('POST', '/faults', deed.fault)
      case 'clear-faults':
        return ask('DELETE', '/faults')
      case 'readings':
        return { done: await ask('PATCH', '/readings', deed.readings) }
      case 'hire':
        return ask('POST', '/identities', { handle: deed.handle })
      case 'fire':
        return ask('DELETE', `/identities/${deed.handle}`)
      case 'subscribe':
        return ask('POST', '/webhooks', subscription(deed.port))
      case 'keep':
        kept = await snapshot()
        return { done: kept }
      case 'restore':
        return { done: await ask('PUT', '/snapshot', kept) }
      case 'reset':
        return { done: await ask('POST', '/reset') }
    }
  }
  return async (deed, named) => {
    const { error, message, thread, now, id } = await perform(deed, named)
    if (error) return error.code
    if (message) return `${message.id} ${thread.id}`
    return id ?? now ?? 'done'
  }
}

function mailBody(deed: Deed & { readonly deed: 'receive' | 'send' }, message: string | undefined): object {
  const content = {
    text: 'Hello',
    ...(message === undefined ? { subject: 'New' } : { in_reply_to: message }),
  }
  const { agent } = deed
  if (deed.deed === 'send')
    return { direction: 'outbound', from: agent, to: ['bob@mail.example'], ...content }
  const file = deed.file === null ? [] : [{ filename: 'note.txt', content: btoa(deed.file) }]
  return { to: agent, from: 'Bob <bob@mail.example>', attachments: file, ...content }
}

function subscription(port: number) {
  return { url: `http://127.0.0.1:${port}/hook`, events: ['message.bounced' as const] }
}
