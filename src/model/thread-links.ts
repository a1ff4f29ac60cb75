/** Names that the messages of one thread share. */
export interface ThreadNames {
  readonly thread: string
  readonly names: readonly string[]
}

interface Link {
  readonly thread: string
  /** How many messages of the thread have the name; less than none where an overlay takes them away. */
  count: number
  readonly next: Link | undefined
}

/** The threads in which messages of a name are. */
export class ThreadLinks {
  // Most names belong to one thread, and a list of one takes a fifth of what a map takes
  readonly #links = new Map<string, Link>()

  /** Counts one message more, or one less. */
  add({ thread, names }: ThreadNames, by: 1 | -1): void {
    for (const name of names) {
      const first = this.#links.get(name)
      let link = first
      while (link && link.thread !== thread) link = link.next
      if (link) link.count += by
      else this.#links.set(name, { thread, count: by, next: first })
    }
  }

  /** The threads with messages of a name, those counted by both indexes. */
  threadsOf(name: string, other = none): string[] {
    const threads: string[] = []
    for (let link = this.#links.get(name); link; link = link.next) {
      if (link.count + other.#countOf(name, link.thread) > 0) threads.push(link.thread)
    }
    for (let link = other.#links.get(name); link; link = link.next) {
      if (link.count > 0 && !threads.includes(link.thread)) threads.push(link.thread)
    }
    return threads
  }

  #countOf(name: string, thread: string): number {
    let link = this.#links.get(name)
    while (link && link.thread !== thread) link = link.next
    return link?.count ?? 0
  }
}

const none = new ThreadLinks()
