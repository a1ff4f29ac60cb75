import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { ExploreReport } from '../../src/explore/report.js'
import type { Outcome, Start } from '../cli/program.js'

/** The words that run one of the clients. */
export function client(name: string): string[] {
  return ['--', process.execPath, fileURLToPath(new URL(`clients/${name}.mjs`, import.meta.url))]
}

/** An exploration that was asked for as JSON, and what came of it. */
export async function exploredJson(
  start: Start,
  ...args: readonly string[]
): Promise<Outcome & { readonly report: ExploreReport }> {
  const outcome = await start('explore', '--reporter', 'json', ...args).outcome
  expect(outcome.stderr).not.toMatch(/^ +at /m)
  return { ...outcome, report: JSON.parse(outcome.stdout) }
}

/** What each try changed, and what came of it. */
export function outcomesOf({ tries }: ExploreReport): string[] {
  return tries.map(({ changes, outcome }) => {
    const names = Object.entries(changes).map(([gap, reading]) => `${gap}=${reading}`)
    return `${names.join(' ')} ${outcome}`
  })
}

/** Those of some processes that are still running, by their ids, one a line. */
export function stillRunning(ids: string): number[] {
  return ids.trim().split('\n').map(Number).filter(isRunning)
}

/** One that has ended may still be there to be collected by whoever started it. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch (error) {
    return existsSync('/proc/self') ? false : (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
