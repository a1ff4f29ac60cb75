import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'
import { sharedFolder } from '../support/temporary-folder.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const meeting = sharedFolder()

describe('the mailboxes of tests', () => {
  it('are isolated in each pool and environment', async () => {
    const outputFile = join(meeting, 'report.json')
    const vitest = at('../../node_modules/vitest/vitest.mjs')
    const options = ['--config', 'vitest.config.ts', '--reporter', 'json', '--outputFile', outputFile]
    const run = promisify(execFile)(process.execPath, [vitest, 'run', ...options], {
      cwd: at('fixtures'),
      env: { ...process.env, MAILBOX_PACKAGE: built.folder, MAILBOX_MEETING: meeting },
    })
    const failed = await run.then(
      () => undefined,
      (error: Error) => error,
    )
    const text = await readFile(outputFile, 'utf8').catch(() => {
      throw failed
    })
    const report = JSON.parse(text) as Report
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(
      results.flatMap(({ fullName, failureMessages }) =>
        failureMessages.map((text) => `${fullName}: ${text}`),
      ),
    ).toEqual([])
    expect(failed).toBeUndefined()
    expect(results.filter(({ status }) => status === 'passed')).toHaveLength(4 * 2 * 12)
  }, 240_000)
})
