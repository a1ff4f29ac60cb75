import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { ExploreReport } from '../../src/runs/explore/report.js'
import type { RunOutcome, RunProgram } from '../cli/in-process.js'

/** Returns the command of a client. */
export function client(name: string): string[] {
  return ['--', process.execPath, fileURLToPath(new URL(`clients/${name}.mjs`, import.meta.url))]
}

/** The outcome of an exploration with its JSON report. */
export async function exploredJson(
  start: RunProgram,
  ...args: readonly string[]
): Promise<RunOutcome & { readonly report: ExploreReport }> {
  const outcome = await start('explore', '--reporter', 'json', ...args).outcome
  expect(outcome.stderr).not.toMatch(/^ +at /m)
  return { ...outcome, report: JSON.parse(outcome.stdout) }
}

/** Returns the changes and the outcome of each try. */
export function outcomesOf({ tries }: ExploreReport): string[] {
  return tries.map(({ changes, outcome }) => {
    const names = Object.entries(changes).map(([gap, assumption]) => `${gap}=${assumption}`)
    return `${names.join(' ')} ${outcome}`
  })
}

/** Returns the processes that are still running. */
export function stillRunning(ids: string): number[] {
  return ids.trim().split('\n').map(Number).filter(isRunning)
}

/** Excludes zombies, which have ended but were not collected yet. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch (error) {
    return existsSync('/proc/self') ? false : (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
