import { counted } from '../../../base/text.js'
import { type ElementKind, listedIdentities } from './kind.js'

/** A number of threads in a mailbox. */
export interface SizeElement {
  readonly vary: 'sizes'
  readonly identity: string
  readonly threads: number
  readonly added: number
}

export const sizeKind: ElementKind<SizeElement> = {
  elements(facts) {
    const { initialState, base } = facts
    if (!base.operations.has('threads.list')) return []
    const { database } = initialState.base
    const limits = [...base.limits].filter((limit) => limit > 1 && limit <= 100)
    const edges = [0, ...limits.flatMap((limit) => [limit - 1, limit, limit + 1, 2 * limit])]
    const wanted = [...new Set(edges)].sort((a, b) => a - b)
    const rows = [...database.all('thread')]
    const owners = new Map([...database.all('identity')].map((row) => [row.agent_handle, row.id]))
    return listedIdentities(facts).flatMap((identity) => {
      const { handle, generate, threads: written = [] } = identity
      const id = owners.get(handle)
      const present = rows.filter(({ identity_id }) => identity_id === id).length
      // Threads that other parts refer to stay, so an empty mailbox may still have those.
      const unnamed = written.filter(({ key }) => key === undefined).length
      const least = present - (generate?.threads ?? 0) - unnamed
      const counts = new Set(wanted.map((threads) => Math.max(threads, least)))
      counts.delete(present)
      return [...counts].map((threads) => {
        return { vary: 'sizes', identity: handle, threads, added: threads - present } as const
      })
    })
  },
  describe: ({ identity, threads }) => `the mailbox of ${identity} holds ${counted(threads, 'thread')}`,
  advice: ({ threads }) =>
    threads === 0
      ? 'Expect an empty mailbox: a response without threads is a valid last page.'
      : 'Ask for the next page until one has fewer entries than its limit.',
  // Generated mail may be of any kind.
  changes: () => ['mail', 'hidden-headers'],
  isMet: (_, { operations }) => operations.has('threads.list'),
  subject: ({ identity }) => `sizes ${identity}`,
  adds: ({ added }) => Math.max(0, added),
  // What holds with the fewest threads depends on none that is omitted; a number above the largest shows a
  // client that ends early.
  plain({ identity, added }, all) {
    const others = all.filter((one) => one.identity === identity && Math.sign(one.added) === Math.sign(added))
    const [fewest, most] = [others[0], others.at(-1)]
    if (added < 0) return fewest
    return most && { ...most, threads: most.threads + 1, added: most.added + 1 }
  },
  overlay: (elements) => ({
    mailboxes: Object.fromEntries(elements.map(({ identity, added }) => [identity, added])),
  }),
}
