import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { startPause, stopwatch } from '../world/index.js'

/** A running process. */
export interface Process {
  readonly id: number
  /** The name of its program, e.g. `sleep`. */
  readonly name: string
  /** Whether it is in the command's process group. */
  readonly inGroup: boolean
}

/** Identifies the processes that a command started. */
export interface GroupIdentity {
  /** The id of the command's process group, and of its session. */
  readonly id: number
  /** A variable in their environment, as `NAME=value`. */
  readonly mark: string
  /** The pipes the command writes to, as {@link outputPipes} names them. */
  readonly pipes?: readonly string[]
}

/** Milliseconds between checks for remaining processes. */
const pollInterval = 20

/** Milliseconds within which a killed process ends, unless the system itself is stuck. */
const killTimeout = 1_000

/** Whether the system lists its processes. Without a list, only the group as a whole can be signalled. */
const hasProcessList = existsSync('/proc/self/stat')

/** A command and all processes it started. */
export class ProcessGroup {
  readonly #identity: GroupIdentity
  readonly #listed: boolean

  constructor(identity: GroupIdentity, { listed = hasProcessList } = {}) {
    this.#identity = identity
    this.#listed = listed
  }

  /** Lists the members that are still running; without a process list, one unnamed process stands for all. */
  members(): Process[] {
    if (this.#listed) return findMembers(this.#identity)
    const { id } = this.#identity
    return send(-id, 0) ? [{ id, name: 'a process', inGroup: true }] : []
  }

  /** Sends a signal to every member. */
  signal(signal: NodeJS.Signals): void {
    // The whole group at once, so that no member starts another process in between.
    send(-this.#identity.id, signal)
    for (const { id, inGroup } of this.members()) if (!inGroup) send(id, signal)
  }

  /** Waits until no member is left, up to a timeout in milliseconds; returns whether none is left. */
  async gone(milliseconds: number, stopWaiting?: AbortSignal): Promise<boolean> {
    const elapsed = stopwatch()
    while (this.members().length > 0) {
      if (elapsed() >= milliseconds || stopWaiting?.aborted) return false
      await startPause(pollInterval).over
    }
    return true
  }

  /**
   * Sends SIGTERM to all members, and SIGKILL to those that remain after the grace period or once `kill` is aborted.
   * Resolves to whether SIGKILL was necessary.
   */
  async stop(grace: number, kill?: AbortSignal): Promise<boolean> {
    this.signal('SIGTERM')
    // A stopped process handles SIGTERM only once it continues.
    this.signal('SIGCONT')
    if (await this.gone(grace, kill)) return false
    const elapsed = stopwatch()
    do {
      this.signal('SIGKILL')
      await startPause(pollInterval).over
    } while (this.members().length > 0 && elapsed() < killTimeout)
    return true
  }
}

/**
 * Finds the running members of a group: those in its process group or session, and those that left both but still
 * have its mark or write to its pipes. Zombies do not count.
 */
export function findMembers({ id: group, mark, pipes = [] }: GroupIdentity): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const id = /^\d+$/.test(name) ? Number(name) : 0
    if (id === 0 || id === process.pid) return []
    const stat = read(id, 'stat')
    const open = stat.indexOf('(')
    const close = stat.lastIndexOf(')')
    const [state, , itsGroup, session] = stat.slice(close + 2).split(' ')
    if (close < 0 || state === 'Z' || state === 'X') return []
    const inGroup = Number(itsGroup) === group
    const isMember = inGroup || Number(session) === group || read(id, 'environ').split('\0').includes(mark)
    if (!isMember && !outputPipes(id).some((pipe) => pipes.includes(pipe))) return []
    return [{ id, name: stat.slice(open + 1, close), inGroup }]
  })
}

/** Names the pipes and sockets that are a process's stdout and stderr; only its descendants can have the same. */
export function outputPipes(id: number): string[] {
  return [1, 2].flatMap((stream) => {
    try {
      const target = readlinkSync(`/proc/${id}/fd/${stream}`)
      return /^(?:pipe|socket):/.test(target) ? [target] : []
    } catch {
      return []
    }
  })
}

/**
 * Kills a group if this process dies first, even by SIGKILL: a shell reads from a pipe that only this process holds. If
 * the pipe closes before a line has arrived, this process can no longer end the group.
 */
const guardScript = `trap '' HUP INT TERM
read group; read done && exit
kill -KILL -- "-$group"
for file in $(grep -lsF -- "$0" /proc/[0-9]*/environ); do id=\${file#/proc/}; kill -KILL "\${id%/environ}"; done`

/** A helper that kills a process group if this process dies first. */
export class GroupGuard {
  readonly #shell: ChildProcess | undefined

  /** Starts the helper; `mark` is that of the group to protect later. */
  constructor(mark: string) {
    // Without a shell, there is no guard.
    if (!existsSync('/bin/sh')) return
    this.#shell = spawn('/bin/sh', ['-c', guardScript, mark], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin' },
    })
    this.#shell.on('error', () => undefined)
    this.#shell.stdin?.on('error', () => undefined)
  }

  /** Protects a group from now on. */
  protect(group: number): void {
    this.#shell?.stdin?.write(`${group}\n`)
  }

  /** Ends the helper without killing the group. */
  async release(): Promise<void> {
    const shell = this.#shell
    if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return
    const exited = new Promise((resolve) => shell.once('exit', resolve))
    shell.stdin?.end('\n\n')
    await exited
  }
}

/** Sends a signal; returns whether a process received it. */
function send(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, signal)
  } catch {
    return false
  }
}

/** Reads a file about a process; empty if the process has ended or belongs to another user. */
function read(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
