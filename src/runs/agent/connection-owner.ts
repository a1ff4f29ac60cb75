import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { membersOf } from './group-members.js'

/** What is at the other end of a connection: a process group, nobody any more, or what is not known. */
export type Owner = number | 'nobody' | 'unknown'

/**
 * Returns which of some process groups of this machine is at the other end of a connection. Only one of several groups is
 * told; without `/proc`, nothing is known.
 */
export function ownerOf({ remotePort, localPort }: Socket, groups: readonly number[]): Owner {
  const file = inodeOf(remotePort ?? 0, localPort ?? 0)
  if (file === undefined) return 'unknown'
  if (file === '0') return 'nobody'
  const [only, ...others] = groups
  if (others.length === 0) return only ?? 'nobody'
  return groups.find((group) => membersOf(group)?.some(({ pid }) => holds(pid, file))) ?? 'unknown'
}

/** Returns which of some processes is at the other end of a connection; undefined if that is not known. */
export function processOf(
  { remotePort, localPort }: Socket,
  processes: readonly number[],
): number | undefined {
  const file = inodeOf(remotePort ?? 0, localPort ?? 0)
  return file === undefined ? undefined : processes.find((pid) => holds(pid, file))
}

/** Returns the inode of a connection by its two ports, `0` if no process holds it; undefined without `/proc`. */
function inodeOf(local: number, remote: number): string | undefined {
  const ends = [local, remote].map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`)
  const [from = '', to = ''] = ends
  let isListed = false
  for (const table of ['tcp', 'tcp6']) {
    for (const line of linesOf(`/proc/net/${table}`)) {
      isListed = true
      const [, here, there, , , , , , , inode] = line.trim().split(/\s+/)
      if (here?.endsWith(from) && there?.endsWith(to)) return inode
    }
  }
  return isListed ? '0' : undefined
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(1)
  } catch {
    return []
  }
}

/** Returns whether a process holds the file of a connection. */
function holds(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((name) => {
      try {
        return readlinkSync(`${folder}/${name}`) === `socket:[${inode}]`
      } catch {
        // It was closed meanwhile.
        return false
      }
    })
  } catch {
    return false
  }
}
