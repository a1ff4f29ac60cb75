import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectNoProcessLeft } from '../../../test/replay/no-process-left.js'
import type { ProcessGroup } from './process-group.js'
import { type CommandEnd, type CommandOptions, runCommand } from './run-command.js'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-'))
})

afterEach(() => rm(folder, { recursive: true }))

expectNoProcessLeft()

const node = (script: string, options?: CommandOptions) =>
  runCommand([process.execPath, '-e', script], options)
const shell = (script: string, options?: CommandOptions): Promise<CommandEnd> =>
  runCommand(['sh', '-c', script], options)

/** Ends a command when it writes a line. */
function endAt(wanted: string) {
  const controller = new AbortController()
  const onLines = (lines: readonly string[]) => lines.includes(wanted) && controller.abort()
  return { signal: controller.signal, onLines }
}

const fine = { passed: true, problem: null, notes: [], output: '', complaint: undefined }

describe('a command', () => {
  it('has no problem with status 0', async () => {
    const command = ['sh', '-c', 'true']
    expect(await shell('true')).toEqual({ command, ended: 'by-itself', status: 0, signal: null, ...fine })
  })

  it('returns status, last lines and a problem', async () => {
    const end = await shell('echo out; echo err >&2; exit 3')
    expect(end).toMatchObject({
      ended: 'by-itself',
      status: 3,
      signal: null,
      problem: 'exited with status 3',
    })
    expect(end.output.split('\n').toSorted()).toEqual(['err', 'out'])
  })

  it('has the programs as members that it starts in sessions of their own', async () => {
    const stop = new AbortController()
    const source = `require('node:child_process').spawn('sleep', ['60'], { detached: true }).unref(); setTimeout(() => {}, 60_000)`
    let group: ProcessGroup | undefined
    const ending = runCommand([process.execPath, '-e', source], {
      signal: stop.signal,
      onStarted: (started) => {
        group = started
      },
    })
    const moved = () => group?.members()?.find(({ name }) => name === 'sleep')
    await expect.poll(moved).toBeDefined()
    process.kill(moved()?.pid as number)
    stop.abort()
    expect((await ending).ended).toBe('stopped')
  })

  it.each([
    ['kill -KILL $$', /^was ended by SIGKILL from outside; .*when memory runs out$/],
    ['kill -TERM $$', 'was ended by SIGTERM'],
    [
      'no-such-program-here',
      /^exited with status 127 \(a shell returns this for a program that does not exist\)$/,
    ],
  ])('explains how %s ended', async (script, problem) => {
    expect((await shell(script)).problem).toMatch(problem)
  })

  it('reports the lines of both streams, even without a final line end', async () => {
    const seen: string[] = []
    const onLines = (lines: readonly string[], stream: string) => {
      seen.push(...lines.map((line) => `${stream}: ${line}`))
    }
    await shell("printf 'one\\ntwo\\r\\n10%%\\r20%%\\nlast'; printf 'ä\\n' >&2", { onLines })
    expect(seen.toSorted()).toEqual([
      'stderr: ä',
      'stdout: 20%',
      'stdout: last',
      'stdout: one',
      'stdout: two',
    ])
  })

  it('has the given environment variables without removed ones', async () => {
    const env = { GIVEN: 'here', HOME: undefined }
    const { output } = await shell(`echo "$GIVEN-\${HOME-none}"`, { env })
    expect(output).toBe('here-none')
  })

  it('has an empty standard input', async () => {
    expect(await shell('cat; echo over')).toMatchObject({ status: 0, output: 'over' })
  })

  it('can close its output', async () => {
    const end = await node(
      "require('fs').closeSync(1); require('fs').closeSync(2); setImmediate(() => process.exit(4))",
    )
    expect(end).toMatchObject({ status: 4, output: '' })
  })
})

describe('a command that cannot start', () => {
  it.each([
    [['no-such-program-here'], 'There is no program "no-such-program-here" (or what its first line names'],
    [['npm test'], 'arguments are words of their own'],
    [['./package.json'], './package.json is not executable; name what runs it'],
    [['sh', 'a\0b'], 'sh could not be started: '],
  ])('%j is explained', async (command, problem) => {
    const end = await runCommand(command, { env: { PATH: '/bin:/usr/bin' } })
    expect(end).toMatchObject({ ended: 'not-started', status: null, signal: null, output: '' })
    expect(end.problem).toContain(problem)
  })
})

describe('the output of a command', () => {
  it('is truncated after 16 MB with a note', async () => {
    const line = 'y'.repeat(200)
    let characters = 0
    let last = ''
    const onLines = (lines: readonly string[]) => {
      for (const line of lines) characters += line.length + 1
      last = lines.at(-1) ?? ''
    }
    const end = await shell(`yes ${line} | head -c 20100000; echo over`, { onLines })
    expect(characters).toBeLessThan(17_000_000)
    expect(last).toBe('… (16 MB were shown; the rest is omitted)')
    expect(end.output.endsWith(`${line}\n${line}\nover`)).toBe(true)
    expect(end.output.split('\n')).toHaveLength(40)
  })

  it('is truncated within a line that never ends', async () => {
    const longest = { line: 0 }
    const onLines = (lines: readonly string[]) => {
      for (const line of lines) longest.line = Math.max(longest.line, line.length)
    }
    const end = await shell("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo over", { onLines })
    expect(longest.line).toBeLessThan(9_000)
    expect(end.output).toMatch(/^x{399}…\nover$/)
  })
})

describe('a stopped command', () => {
  it('gets SIGTERM and can clean up', async () => {
    const script =
      "process.on('SIGTERM', () => { console.log('bye'); process.exit(0) }); console.log('up'); setInterval(() => {}, 1e6)"
    const end = await node(script, endAt('up'))
    expect(end).toEqual({
      command: expect.any(Array),
      ended: 'stopped',
      status: 0,
      signal: null,
      ...fine,
      output: 'up\nbye',
      complaint: 'bye',
    })
  })

  it('is killed with its children if it ignores SIGTERM', async () => {
    const script = "trap '' TERM; sleep 1000 & echo up; while :; do sleep 1000; done"
    const end = await shell(script, { ...endAt('up'), kill: AbortSignal.abort() })
    expect(end).toMatchObject({ ended: 'stopped', status: null, signal: 'SIGKILL', problem: null })
    expect(end.notes).toEqual(['It did not end after SIGTERM, so it was killed.'])
  })

  it('ends even if suspended', async () => {
    const end = await shell('(sleep 0.2; echo up) & kill -STOP $$', endAt('up'))
    expect(end).toMatchObject({ ended: 'stopped', signal: 'SIGTERM', notes: [] })
  })

  it('ends immediately if aborted before the start', async () => {
    const end = await shell('sleep 1000', { signal: AbortSignal.abort() })
    expect(end).toMatchObject({ ended: 'stopped', signal: 'SIGTERM' })
  })
})

describe('a leftover process', () => {
  it('is ended and noted, even if it holds the pipes', async () => {
    const end = await shell('sleep 1000 & sleep 1000 & echo done')
    expect(end).toMatchObject({ ended: 'by-itself', status: 0, problem: null, output: 'done' })
    expect(end.notes).toEqual(['It left something running, which was ended.'])
  })

  it('is killed if it ignores SIGTERM', async () => {
    const end = await shell("(trap '' TERM; while :; do sleep 1000; done) & echo done", {
      kill: AbortSignal.abort(),
    })
    expect(end.notes).toEqual(['It left something running, which was killed, since SIGTERM did not end it.'])
  })

  it('is not noted if it ends soon', async () => {
    expect(await shell('sleep 0.05 & true')).toMatchObject({ status: 0, notes: [] })
  })
})
