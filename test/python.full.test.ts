import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The first interpreter that has pytest; Debian's own is not always the first of the path. */
const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import pytest, xdist']).status === 0,
)
const isMissing = python === undefined && process.env['CI'] === undefined

describe.skipIf(isMissing)('the package for Python (needs pytest and pytest-xdist)', () => {
  it.each([
    ['one after the other', []],
    ['side by side', ['-n', '2']],
  ])('passes its own tests, %s', (_, flags) => {
    const args = ['-m', 'pytest', '-q', '-p', 'agent_mailbox_sim.pytest_plugin', ...flags, 'tests']
    const said = execFileSync(python ?? 'python3', args, {
      cwd: `${root}/python`,
      env: {
        ...process.env,
        PYTHONPATH: '.',
        PYTHONDONTWRITEBYTECODE: '1',
        MAILBOX_SIM_COMMAND: `${process.execPath} ${root}/dist/cli/main.cjs`,
      },
      encoding: 'utf8',
    })
    expect(said).toMatch(/^14 passed/m)
  })
})
