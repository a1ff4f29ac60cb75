import { expect, it, vi } from 'vitest'
import { identityPath, messagesPath, openMailbox, threadsPath, webhooksPath } from '../mailbox.js'

it.each(['', '/api', '/v1', '/api/v2', '/api/v10', '/API/v1', '/api/V1', '/api/v1.0'])(
  '9 nothing is served below "%s"',
  async (base) => {
    // Nothing listens there: a request that is not simulated fails, and MSW prints a warning.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const mailbox = await openMailbox()
    for (const path of [identityPath('eva'), threadsPath(), messagesPath(), webhooksPath()]) {
      const request = mailbox.get(path.replace('/api/v1', base))
      const status = await request.then(
        (answer) => answer.status,
        () => 'not simulated',
      )
      expect([404, 'not simulated']).toContain(status)
    }
    vi.restoreAllMocks()
  },
)
