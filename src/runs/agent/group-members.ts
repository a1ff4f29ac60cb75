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

/** Returns the processes of a group that have not ended; undefined if the system does not list its processes. */
export function membersOf(group: number): GroupMember[] | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  return readdirSync('/proc').flatMap((pid) => {
    const member = /^\d+$/.test(pid) ? readMember(pid) : undefined
    return member?.group === group && member.state !== 'Z' && member.state !== 'X' ? [member] : []
  })
}

function readMember(pid: string): (GroupMember & { readonly group: number }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const [state = '', parent, group] = fields
    return {
      ...{ pid: Number(pid), parent: Number(parent), group: Number(group), state },
      ticks: Number(fields[11]) + Number(fields[12]),
      name: stat.slice(stat.indexOf('(') + 1, end),
    }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
