import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { fuzz } from '../../src/runs/fuzz/fuzz.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { desk } from './desk.js'

const { variables } = expectNoProcessLeft()

// Starting agents some twenty times is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })
const folder = sharedFolder()

/** Two people write to a desk, the second of whom is not authentic; attacks are written beside them. */
const scenario = {
  ...desk,
  timeline: [
    {
      after: '10s',
      receive: { to: 'support', from: 'ann@example.com', subject: 'Lamp', text: 'Is it there?' },
    },
    {
      after: '1m',
      receive: {
        to: 'support',
        from: 'bo@example.com',
        subject: 'Desk',
        text: 'And mine?',
        authentication: 'fail',
      },
    },
  ],
  attacks: ['common'],
}

it('the same seed gives the same plans and files of an agent in Python', async () => {
  const file = join(folder, 'desk.json')
  writeFileSync(file, JSON.stringify(scenario))
  const search = async (out: string) => {
    const options = { scenario: file, out: join(folder, out), seed: 5, runs: 4, shrinkRuns: 3, extend: [] }
    const command = ['python3', join(import.meta.dirname, 'agents', 'worker.py'), 'saves-first']
    const { report } = await fuzz({
      ...options,
      command,
      variables: variables(),
      vary: ['life', 'forms'] as const,
    })
    const { wall_ms: _, ...same } = report
    const files = report.findings.length > 0 ? readdirSync(options.out).toSorted() : []
    const told = JSON.stringify(same).replaceAll(out, 'out')
    return {
      report,
      told,
      files: files.map((file) => [
        file,
        readFileSync(join(options.out, file), 'utf8').replaceAll(out, 'out'),
      ]),
    }
  }
  const [one, other] = [await search('found-1'), await search('found-2')]
  expect([other.told, other.files]).toEqual([one.told, one.files])
  expect(one.report.findings).not.toEqual([])
})
