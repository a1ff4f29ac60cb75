import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/doors/server/start-server.js'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { mailboxOf } from './instance.js'

interface Found {
  readonly requests: number
  readonly gaps: readonly {
    readonly gap: string
    readonly status: string
    readonly candidates: readonly string[]
  }[]
}

/** Calibrates a server with writes, in runs of so many requests in total; returns the last report. */
async function calibrateIn(...totals: readonly number[]) {
  const assumptions = {
    'threads.unread-after-read': 'becomes-read',
    'identities.patch-unknown-fields': 'rejected',
  } as const
  const scenario = mailboxOf(20) as never
  const options = { port: 0, clock: 'frozen', onUndocumented: () => undefined } as const
  const server = await startServer({ ...options, scenario, assume: assumptions })
  onTestFinished(() => server.close())
  const out = join(await folderOf(), 'live.yaml')
  const start = programInProcess({ MAIL_KEY: 'rich-key' })
  const flags = ['--base-url', server.url, '--api-key-env', 'MAIL_KEY', '--rate', '1000']
  const writing = ['--allow-writes', '--agent', 'support', '--out', out, '--reporter', 'json']
  const unread = () => server.simulator.mailbox.threads().threads.filter((thread) => thread.unread).length
  const before = unread()
  let stdout = ''
  for (const [index, total] of totals.entries()) {
    const resume = index === 0 ? [] : ['--resume']
    const run = await start('calibrate', ...flags, ...writing, '--max-requests', String(total), ...resume)
      .outcome
    expect(run.status, run.stderr).toBe(index === totals.length - 1 ? 0 : 1)
    stdout = run.stdout
  }
  const { gaps, requests } = JSON.parse(stdout) as Found
  const found = gaps.map(({ gap, status, candidates }) => `${gap}: ${status} ${candidates.join(' or ')}`)
  return { found, requests, marked: before - unread() }
}

describe('calibrate --resume with --allow-writes', () => {
  it('learns what an uninterrupted run learns, and marks no further thread as read', async () => {
    const whole = await calibrateIn(300)
    expect(whole.marked).toBe(1)
    expect(whole.found.filter((line) => line.includes('none-fits'))).toEqual([])
    // The last ones read, update, restore, and list an unread thread.
    for (const fewer of [1, 2, 5, 12]) {
      const total = whole.requests - fewer
      const { found, marked } = await calibrateIn(total, 1000)
      expect({ found, marked }, `stopped after ${total} requests`).toEqual({ found: whole.found, marked: 1 })
    }
  })
})
