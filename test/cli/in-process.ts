import { vi } from 'vitest'
import { run } from '../../src/cli/program.js'

/** How a run of the program ended. */
export interface RunOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line. */
export interface RunProgram {
  (...args: readonly string[]): { readonly outcome: Promise<RunOutcome> }
  /** Returns a runner with variables in its environment. */
  with(variables: Readonly<Record<string, string>>): RunProgram
}

/** Returns a runner of command lines in this process, without `MAILBOX_SIM_*` and colour variables from outside. */
export function programInProcess(variables: Readonly<Record<string, string>> = {}): RunProgram {
  const start = (...args: readonly string[]) => ({ outcome: runWith(args, variables) })
  return Object.assign(start, {
    with: (more: Readonly<Record<string, string>>) => programInProcess({ ...variables, ...more }),
  })
}

async function runWith(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<RunOutcome> {
  const written = { stdout: '', stderr: '' }
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    return vi.spyOn(process[name], 'write').mockImplementation((text: unknown, ...rest: unknown[]) => {
      written[name] += String(text)
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    })
  })
  const before = { ...process.env }
  for (const name of Object.keys(before)) {
    if (/^(FORCE_COLOR|MAILBOX_SIM_.*|GITHUB_STEP_SUMMARY)$/.test(name)) delete process.env[name]
  }
  Object.assign(process.env, { CI: 'true' }, variables)
  try {
    const status = await run(args)
    return { status, ...written }
  } finally {
    for (const stream of streams) stream.mockRestore()
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
