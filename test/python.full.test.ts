import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { pythonWithPytest } from './examples/languages.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const python = pythonWithPytest()

describe.skipIf(python === undefined)('the package for Python (needs pytest and pytest-xdist)', () => {
  it.each([
    ['one after the other', ['tests/test_mailbox.py']],
    ['side by side', ['-n', '2', 'tests']],
  ])('passes its own tests, %s', (_, chosen) => {
    const args = ['-m', 'pytest', '-q', '-p', 'agent_mailbox_sim.pytest_plugin', ...chosen]
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
    expect(said).toMatch(/^\d+ passed/m)
  })
})
