import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import type { Probed } from './analysis.js'
import { SavedRun } from './saved-run.js'

const service = 'https://mail.example'

const probed: Probed = {
  gap: 'auth.keys',
  isVoid: true,
  exchange: {
    number: 1,
    request: { method: 'GET', target: '/api/v1/webhooks', key: 'own' },
    answer: { status: 200, headers: {}, text: '{"webhooks":[]}', json: { webhooks: [] } },
    at: '2026-01-01T00:00:00.000Z',
    duration: 5,
  },
}

const seen = 'thread thrd_1 was unread'
const learned = [
  { target: 'limits.rate', explanations: [{ 'limits.rate': 'none' }], exchanges: [1], seen },
] as const
const run = { probed: [probed], learned }

/** Returns a path for the result of a run; its file does not exist. */
async function resultFile(): Promise<string> {
  return join(await folderOf(), 'live.yaml')
}

describe('SavedRun', () => {
  it('reads the exchanges that it wrote, and removes them', async () => {
    const out = await resultFile()
    const saved = new SavedRun(out, service)
    await saved.write(run)
    expect(await new SavedRun(out, service).read()).toEqual(run)
    await saved.remove()
    await expect(stat(saved.path)).rejects.toThrow('ENOENT')
    await expect(saved.read()).rejects.toThrow(
      `${saved.path} does not exist; leave out --resume to start one.`,
    )
  })

  it('refuses a file that is not an unfinished run, and the run of another service', async () => {
    const out = await resultFile()
    const other = new SavedRun(out, 'https://other.example')
    await writeFile(other.path, '{"format":"another"}')
    await expect(other.read()).rejects.toThrow(`${other.path} is not an unfinished run of calibrate`)
    await new SavedRun(out, service).write(run)
    await expect(other.read()).rejects.toThrow(`${other.path} belongs to the service at ${service}`)
  })
})
