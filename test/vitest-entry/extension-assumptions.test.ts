import { expect, it, onTestFinished, vi } from 'vitest'
import { Interception } from '../../src/doors/interceptor/interception.js'

it('follows the environment in the gap of an extension that a mailbox has', async () => {
  vi.stubEnv('MAILBOX_SIM_ASSUME', 'common.send-status=accepted')
  onTestFinished(() => void vi.unstubAllEnvs())
  const scenario = { scenario: 'extended' }
  const { mailbox, close } = await new Interception().open({ scenario, extend: ['common'] })
  onTestFinished(close)
  expect(mailbox.assumptions.current()).toMatchObject({ 'common.send-status': 'accepted' })
})
