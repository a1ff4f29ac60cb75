import { describe, expect, it } from 'vitest'
import { isSecretName, Masker } from './masker.js'

const masker = new Masker(() => ['listed-key', 'desk', 'listed-key-2'])

it('tells names of secrets from those of harmless values', () => {
  const secret =
    'Authorization proxy-authorization Cookie set-cookie X-Api-Key api_key apiKeys auth_token webhook[auth_token] ' +
    'accessToken token X-Token client_secret secretKey password user_pass PIN Auth authCode x-jwt-assertion'
  const harmless =
    'page_token next_token idempotency-key sec-websocket-key key keys tokens_used webhooks.auth-token-absent author ' +
    'www-authenticate agent_handle bypass shipping signature'
  expect(secret.split(' ').filter((name) => !isSecretName(name))).toEqual([])
  expect(harmless.split(' ').filter(isSecretName)).toEqual([])
})

describe('known secrets', () => {
  it('are masked as they are, percent-encoded, and as in JSON; short ones only in addresses', () => {
    const rows = [
      ['xlisted-keyx', 'x***x'],
      ['listed-key-2 and listed-key', '*** and ***'],
      ['at the desk.', 'at the ***.'],
      ['desktop, Desk', 'desktop, Desk'],
      ['sim_0123456789bcdfgh, sim_card', '***, sim_card'],
      ['whsec_AbCd+/0123456789AbCd+/0123456789, whsec_short', '***, whsec_short'],
    ] as const
    expect(rows.map(([text]) => [text, masker.url(text)])).toEqual(rows)
    expect(masker.text('at the desk with the listed-key')).toBe('at the desk with the ***')
    const keys = ['a.b*c+d?e', '$&$1(){}[]|^', 'back\\slash"quote/', 'ключ-от-ящика', '🔑🔑🔑🔑']
    const strange = new Masker(() => keys)
    for (const key of keys) {
      const encoded = encodeURIComponent(key)
      const inJson = JSON.stringify(key).slice(1, -1)
      expect(strange.text([key, encoded, inJson].join(' '))).toBe('*** *** ***')
    }
  })

  it('include those of a request', () => {
    const headers = new Headers({ authorization: 'Bearer brought-key', 'x-api-key': 'short' })
    const own = masker.forRequest(headers, '?token=in-the-query&agent=not-a-key')
    const text = 'brought-key in-the-query short not-a-key listed-key'
    expect(own.text(text)).toBe('*** *** short not-a-key ***')
    expect(masker.text(text)).toBe('brought-key in-the-query short not-a-key ***')
  })

  it('include those in the arguments and the environment of a command', () => {
    const own = masker.forCommand(['agent', '--token', 'Zq81vK7w', '--key=Rr55tB2x', 'desk-1234'], {
      NPM_TOKEN: 'npm-Tok-9912',
      DESKTOP_SESSION: 'ubuntu-xorg',
      PATH: '/usr/bin:/bin',
      PWD: '/home/ann/agent',
    })
    expect(
      own.text('Zq81vK7w Rr55tB2x desk-1234 npm-Tok-9912 ubuntu-xorg /usr/bin:/bin /home/ann/agent'),
    ).toBe('*** *** desk-1234 *** ubuntu-xorg /usr/bin:/bin /home/ann/agent')
  })
})

it.each([
  ['/a?api_key=x&b=1', '/a?api_key=***&b=1'],
  ['/a?b=1;TOKEN=x#f', '/a?b=1;TOKEN=***#f'],
  ['/a?%74oken=x', '/a?%74oken=***'],
  ['/a?key=x&token=&has_auth_token=true', '/a?key=***&token=&has_auth_token=true'],
  ['https://u.test/?access_token=a%26b', 'https://u.test/?access_token=***'],
  ['/a;token=x/b', '/a;token=***'],
  ['/a?%=x', '/a?%=x'],
  ['/?X-Amz-Signature=6f1e&SAMLResponse=a&sv_sig=c', '/?X-Amz-Signature=***&SAMLResponse=***&sv_sig=***'],
  ['http://ann:p@ss@u.test/a@b', 'http://***@u.test/a@b'],
  ['http://u.test/a@b?to=ann@b', 'http://u.test/a@b?to=ann@b'],
])('masks the address %s', (url, masked) => {
  expect(masker.url(url)).toBe(masked)
})

it('masks headers by name and the addresses in others', () => {
  const headers = {
    Authorization: 'Bearer a',
    'X-Vault-Token': 'a',
    'X-Hub-Signature-256': 'sha256=6f1e',
    referer: 'http://x/?code=1',
    etag: 'W/"1"',
  }
  expect(masker.headers(Object.entries(headers))).toEqual({
    Authorization: 'Bearer ***',
    'X-Vault-Token': '***',
    'X-Hub-Signature-256': '***',
    referer: 'http://x/?code=***',
    etag: 'W/"1"',
  })
})

it.each([
  ['{"auth_token":"a","b":{"apiKey" : "c"}}', '{"auth_token":"***","b":{"apiKey" : "***"}}'],
  ['{"auth_token":12,"password":["a",7],"x":1}', '{"auth_token":"***","password":"***","x":1}'],
  ['{"auth_token":null,"token":false,"secret":""}', '{"auth_token":null,"token":false,"secret":""}'],
  ['{"auth_token":"a', '{"auth_token":"***"'],
  ['{"auth_token":"a\\"b","c":"d"}', '{"auth_token":"***","c":"d"}'],
  ['auth_token=a&b=c', 'auth_token=***&b=c'],
  ['code=5&x=1', 'code=***&x=1'],
  [
    '{"url":"https://u:p@h.test/x?sig=a","error":{"code":"not_found"},"n":"see https://a:b@c/?code=5 ok"}',
    '{"url":"https://***@h.test/x?sig=a","error":{"code":"not_found"},"n":"see https://***@c/?code=5 ok"}',
  ],
  ['<a href="/?a=1&token=abc&sig=99">', '<a href="/?a=1&token=***&sig=99">'],
])('masks what a name marks in %s', (text, masked) => {
  expect(masker.text(text)).toBe(masked)
})

it.each([
  'auth_token: expected a string',
  'Basic information; Bearer authentication required',
  'max_tokens: 50, next_page_token=abc, {"page_token":"x1y2"}',
  '{"auth.keys":"required","signature":"Best wishes, Ann"}',
  'the design=3 of https://x.test/?config=4',
  'not JSON: "token',
  '"\\"\\!"token":',
])('leaves %s', (text) => {
  expect(masker.text(text)).toBe(text)
})

it('masks the arguments of a command', () => {
  const command = 'node a.js --token abc --api-key=xyz API_KEY=1 https://u:p@h/?sig=4 -p 80'
  expect(masker.arguments(command.split(' ')).join(' ')).toBe(
    'node a.js --token *** --api-key=*** API_KEY=*** https://***@h/?sig=*** -p 80',
  )
})

it('masks JSON at any depth, also in its strings and names', () => {
  const content = {
    url: 'https://hooks.test/in?token=a',
    auth_token: 'b',
    nested: [{ 'listed-key': 'the listed-key', list: ['{"auth_token":"c"}', 7, null] }],
    api_keys: ['d'],
    has_auth_token: true,
    token: null,
  }
  expect(masker.content(content)).toEqual({
    url: 'https://hooks.test/in?token=***',
    auth_token: '***',
    nested: [{ '***': 'the ***', list: ['{"auth_token":"***"}', 7, null] }],
    api_keys: '***',
    has_auth_token: true,
    token: null,
  })
})
