import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process as the system lists it. */
export interface GroupMember {
  readonly pid: number
  readonly parent: number
  /** `R` runs, `S` sleeps, `Z` has ended, and so on. */
  readonly state: string
  /** Processor time used, in ticks of the system. */
  readonly ticks: number
  readonly name: string
}

/**
 * Returns the processes of a group, which has a session of its own, that have not ended; undefined if the system does not list
 * its processes. Those of other sessions never join it: `others` keeps which these are, so that whoever asks often gives it
 * again.
 */
export function membersOf(group: number, others = new Set<string>()): GroupMember[] | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const listed = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const present = new Set(listed)
  for (const pid of others) if (!present.has(pid)) others.delete(pid)
  return listed.flatMap((pid) => {
    const member = others.has(pid) ? undefined : readMember(pid)
    if (member && member.session !== group) others.add(pid)
    return member?.group === group && !hasEnded(member) ? [member] : []
  })
}

/** Returns whether a thread of a process uses the processor, or waits for a disk; true where the system does not tell. */
export function isComputing(pid: number): boolean {
  if (!existsSync('/proc/self/stat')) return true
  return threadStates(pid).some((state) => state === 'R' || state === 'D')
}

/** Returns the states of the threads of a process; none if it has ended. */
function threadStates(pid: number): (string | undefined)[] {
  const threads = `/proc/${pid}/task`
  try {
    return readdirSync(threads).map((thread) => stateOf(`${threads}/${thread}`))
  } catch {
    return []
  }
}

function stateOf(folder: string): string | undefined {
  const stat = readFileSync(`${folder}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2)[0]
}

/** Returns whether all threads of a process have ended: its parent is told only then. */
function hasEnded({ state, threads }: ListedProcess): boolean {
  return state === 'X' || (state === 'Z' && threads <= 1)
}

interface ListedProcess extends GroupMember {
  readonly group: number
  readonly session: number
  readonly threads: number
}

function readMember(pid: string): ListedProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const [state = '', parent, group, session] = fields
    return {
      ...{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), state },
      ticks: Number(fields[11]) + Number(fields[12]),
      threads: Number(fields[17]),
      name: stat.slice(stat.indexOf('(') + 1, end),
    }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
