import { describe, expect, it } from 'vitest'
import { Masker } from './masker.js'
import { isSecretName } from './secret-names.js'

const masker = new Masker(() => ['listed-key', 'desk', 'listed-key-2'])

describe('names of keys and tokens', () => {
  it.each([
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'set-cookie',
    'X-Api-Key',
    'api_key',
    'apiKeys',
    'auth_token',
    'webhook[auth_token]',
    'accessToken',
    'token',
    'X-Token',
    'client_secret',
    'secretKey',
    'password',
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each([
    'page_token',
    'next_token',
    'idempotency-key',
    'sec-websocket-key',
    'key',
    'keys',
    'tokens_used',
    'webhooks.auth-token-absent',
    'author',
    'www-authenticate',
    'agent_handle',
  ])('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe('keys that are known', () => {
  it.each([
    ['the listed-key here', 'the *** here'],
    ['xlisted-keyx', 'x***x'],
    ['listed-key-2 and listed-key', '*** and ***'],
    ['/a/%6Cisted%2dkey/b', '/a/***/b'],
    ['"\\u006cisted-key"', '"***"'],
    ['at the desk.', 'at the ***.'],
    ['desktop, Desk', 'desktop, Desk'],
    ['sim_0123456789bcdfgh', '***'],
    ['?k=sim%5f0123456789bcdfg%68', '?k=***'],
    ['sim_card', 'sim_card'],
    ['nothing', 'nothing'],
  ])('are masked in %s', (text, masked) => {
    expect(masker.url(text)).toBe(masked)
  })

  it('are masked with whatever a pattern would take for something else', () => {
    const keys = ['a.b*c+d?e', '$&$1(){}[]|^', 'back\\slash"quote', 'ключ-от-ящика', '🔑🔑🔑🔑']
    const strange = new Masker(() => keys)
    for (const key of keys) {
      const ways = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
      expect(strange.body(ways.join(' '))).toBe('*** *** ***')
    }
    expect(strange.body('axb*c+d?e')).toBe('axb*c+d?e')
  })

  it('are not looked for in bodies where they are short', () => {
    expect(masker.body('at the desk with the listed-key')).toBe('at the desk with the ***')
  })

  it('are those a request brings, besides', () => {
    const headers = new Headers({ authorization: 'Bearer brought-key', 'x-api-key': 'short' })
    const own = masker.forRequest(headers, '?token=in-the-query&agent=not-a-key')
    expect(own.body('brought-key in-the-query short not-a-key listed-key')).toBe(
      '*** *** short not-a-key ***',
    )
    expect(masker.body('brought-key')).toBe('brought-key')
  })
})

describe('URLs', () => {
  it.each([
    ['/a?api_key=x&b=1', '/a?api_key=***&b=1'],
    ['/a?b=1;TOKEN=x#f', '/a?b=1;TOKEN=***#f'],
    ['/a?%74oken=x', '/a?%74oken=***'],
    ['/a?key=x&token=&has_auth_token=true', '/a?key=***&token=&has_auth_token=true'],
    ['https://u.test/?access_token=a%26b', 'https://u.test/?access_token=***'],
    ['/a;token=x/b', '/a;token=***'],
    ['/a?%=x', '/a?%=x'],
    ['http://ann:pass@u.test/a@b', 'http://***@u.test/a@b'],
    ['http://u.test/a@b?to=ann@b', 'http://u.test/a@b?to=ann@b'],
  ])('%s', (url, masked) => {
    expect(masker.url(url)).toBe(masked)
  })
})

describe('bodies', () => {
  it.each([
    ['{"auth_token":"a","b":{"apiKey" : "c"}}', '{"auth_token":"***","b":{"apiKey" : "***"}}'],
    ['{"auth_token":12,"password":[{"a":"]"},"b"],"x":1}', '{"auth_token":"***","password":"***","x":1}'],
    ['{"auth_token":null,"token":false,"secret":""}', '{"auth_token":null,"token":false,"secret":""}'],
    ['{"auth\\u005ftoken":"a"}', '{"auth\\u005ftoken":"***"}'],
    ['{"x":"{\\"auth_token\\":\\"a\\"}"}', '{"x":"{\\"auth_token\\":\\"***\\"}"}'],
    ['{"auth_token":"a', '{"auth_token":"***"'],
    ['{"auth_token":["a', '{"auth_token":"***"'],
    ['{"x":"{\\"auth_token\\":\\"a', '{"x":"{\\"auth_token\\":\\"***\\""'],
    ['auth_token=a&b=c', 'auth_token=***&b=c'],
    ['not JSON: "token', 'not JSON: "token'],
    ['"\\"\\!"token":', '"\\"\\!"token":'],
  ])('%s', (body, masked) => {
    expect(masker.body(body)).toBe(masked)
  })

  it('are gone through in no time, however they are broken', () => {
    for (const piece of [
      '"',
      '\\',
      '{"token":',
      '"a\\"',
      '[',
      '{"auth_token":"',
      '{"token":[',
      ' token ',
      '"token" ',
    ]) {
      const body = piece.repeat(100_000)
      expect(masker.body(body).length).toBeLessThan(2 * body.length)
    }
  })
})

describe('any JSON', () => {
  it('has no token at any depth, and none in its texts', () => {
    const content = {
      type: 'create-webhook',
      url: 'https://hooks.test/in?token=a',
      auth_token: 'b',
      nested: [{ 'listed-key': 'the listed-key', list: ['{"auth_token":"c"}', 7, null] }],
      api_keys: ['d'],
      has_auth_token: true,
      token: null,
    }
    expect(masker.content(content)).toEqual({
      type: 'create-webhook',
      url: 'https://hooks.test/in?token=***',
      auth_token: '***',
      nested: [{ '***': 'the ***', list: ['{"auth_token":"***"}', 7, null] }],
      api_keys: '***',
      has_auth_token: true,
      token: null,
    })
  })
})
