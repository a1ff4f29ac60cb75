import { expect, it, onTestFinished, vi } from 'vitest'
import { MailboxPool } from '../../src/doors/interceptor/interception.js'

it('follows the environment in the gap of an extension that a mailbox has', async () => {
  vi.stubEnv('MAILBOX_SIM_ASSUME', 'common.send-status=accepted')
  onTestFinished(() => void vi.unstubAllEnvs())
  const pool = await MailboxPool.open('http://extended.test', () => undefined)
  const source = await pool.source({ scenario: { scenario: 'extended' }, extend: ['common'] })
  const mailbox = source.open()
  onTestFinished(() => source.close(mailbox))
  expect(mailbox.assumptions.current()).toMatchObject({ 'common.send-status': 'accepted' })
})
