import { describe, expect, it } from 'vitest'
import { explainListenError, ServerError } from './server-error.js'

const refusal = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code })

describe('explainListenError', () => {
  it.each([
    ['EADDRINUSE', 'port-taken', /^Port 80 is taken; .*--port/],
    ['EACCES', 'not-allowed', /port 80 of mail\.test .*--port/],
    ['EPERM', 'not-allowed', /port 80 of mail\.test .*--port/],
    ['ENOTFOUND', 'unknown-host', /"mail\.test" .*127\.0\.0\.1/],
    ['EAI_AGAIN', 'unknown-host', /"mail\.test" .*127\.0\.0\.1/],
    ['EINVAL', 'unknown-host', /"mail\.test" .*127\.0\.0\.1/],
    ['EADDRNOTAVAIL', 'unknown-host', /"mail\.test" .*127\.0\.0\.1/],
  ])('maps %s to %s', (systemCode, code, message) => {
    const cause = refusal(systemCode)
    const error = explainListenError(cause, 'mail.test', 80)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), cause })
  })

  it('returns other errors unchanged', () => {
    const error = refusal('EMFILE')
    expect(explainListenError(error, 'mail.test', 80)).toBe(error)
  })
})
