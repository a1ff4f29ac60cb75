import { exec } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'
import { sharedFolder, writeInto } from '../support/temporary-folder.js'

// A workspace for each release, so that one installation is enough.
const releases = ['29.7.0', 'latest']
const folder = sharedFolder()
const suite = fileURLToPath(new URL('suite', import.meta.url))

/** Runs a command in the project; returns all its output even if it fails. */
async function run(command: string, cwd = folder): Promise<string> {
  // A nested test run must not see the variables of the outer one.
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  const running = promisify(exec)(command, { cwd, env })
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error)
  return stripVTControlCharacters(`${stdout}\n${stderr}`)
}

beforeAll(async () => {
  const packed = await run(`npm pack --silent --ignore-scripts --pack-destination ${folder}`, built.folder)
  const json = (value: object): string => JSON.stringify(value)
  const project = (environment: string) => ({
    displayName: environment,
    testEnvironment: environment,
    testMatch: ['**/mailbox.test.cjs'],
  })
  const withoutGlobals = {
    ...project('node'),
    displayName: 'without globals',
    testMatch: ['**/without-globals.test.cjs'],
    injectGlobals: false,
  }
  for (const release of releases) {
    const workspace = join(folder, release)
    await cp(suite, workspace, { recursive: true })
    await writeInto(workspace, {
      'package.json': json({
        name: `with-${release}`,
        dependencies: { jest: release, 'jest-environment-jsdom': release },
      }),
      'require.json': json({ projects: [project('node'), project('jsdom'), withoutGlobals] }),
      'import.json': json({ testMatch: ['**/*.test.mjs'], transform: {} }),
    })
  }
  await writeInto(folder, {
    'package.json': json({
      name: 'releases',
      private: true,
      workspaces: releases,
      dependencies: { 'agent-mailbox-sim': `file:${packed.trim()}` },
    }),
  })
  const installed = await run('npm install --ignore-scripts --prefer-offline --no-audit --no-fund')
  expect(installed).toContain('added')
}, 300_000)

describe.each(releases)('Jest %s', (release) => {
  const workspace = join(folder, release)
  const jest = (words: string): Promise<string> => {
    const program = createRequire(join(workspace, 'package.json')).resolve('jest/bin/jest')
    return run(`node ${words.replace('jest', program)}`, workspace)
  }

  it('is what runs', async () => {
    expect(await jest('jest --version')).toMatch(release === 'latest' ? /^\d/ : release)
  })

  it('runs tests that require the package, in Node, in jsdom and without the globals of Jest', async () => {
    expect(await jest('jest --config require.json --testTimeout 60000')).toMatch(
      /Tests: +14 passed, 14 total/,
    )
  })

  it('runs tests that import the package', async () => {
    const output = await jest('--experimental-vm-modules jest --config import.json --testTimeout 60000')
    expect(output).toMatch(/Tests: +1 passed, 1 total/)
  })
})
