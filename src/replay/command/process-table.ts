import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that is running. */
export interface Process {
  readonly id: number
  /** The name of its program, e.g. `sleep`. */
  readonly name: string
  /** Whether it is in the command's process group. */
  readonly inGroup: boolean
}

/** By what the processes a command started are known. */
export interface Kin {
  /** The process group, and session, of the command. */
  readonly group: number
  /** A variable of their environment, as `NAME=value`. */
  readonly mark: string
  /** What the command writes to, as the system names it; see {@link writtenBy}. */
  readonly outputs?: readonly string[]
}

/** Whether the system tells about all its processes; others than Linux know a group only. */
export const hasProcessTable = existsSync('/proc/self/stat')

/**
 * The processes a command started that are still running, itself included: those of its group and its session, and
 * those that left both but have its mark, or still write to where it does. What has ended and is yet to be collected does not count.
 */
export function findKin({ group, mark, outputs = [] }: Kin): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const id = /^\d+$/.test(name) ? Number(name) : 0
    if (id === 0 || id === process.pid) return []
    const stat = read(id, 'stat')
    const open = stat.indexOf('(')
    const close = stat.lastIndexOf(')')
    const [state, , itsGroup, session] = stat.slice(close + 2).split(' ')
    if (close < 0 || state === 'Z' || state === 'X') return []
    const inGroup = Number(itsGroup) === group
    const isKin = inGroup || Number(session) === group || hasMark(id, mark)
    if (!isKin && !writtenBy(id).some((output) => outputs.includes(output))) return []
    return [{ id, name: stat.slice(open + 1, close), inGroup }]
  })
}

/**
 * What a process writes to, its output and its errors, where those are pipes or sockets: nobody has such a one but whom it
 * was handed down to, whatever became of the environment on the way. Empty where the system does not tell.
 */
export function writtenBy(id: number): string[] {
  return [1, 2].map((stream) => linkOf(id, stream)).filter((name) => /^(?:pipe|socket):/.test(name))
}

function linkOf(id: number, stream: number): string {
  try {
    return readlinkSync(`/proc/${id}/fd/${stream}`)
  } catch {
    return ''
  }
}

function hasMark(id: number, mark: string): boolean {
  const environment = read(id, 'environ')
  return environment.includes(mark) && environment.split('\0').includes(mark)
}

/** What the system tells of a process; nothing where it has gone, or is somebody else's. */
function read(id: number, what: string): string {
  try {
    return readFileSync(`/proc/${id}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
