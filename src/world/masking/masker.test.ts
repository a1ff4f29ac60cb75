import { describe, expect, it } from 'vitest'
import { Masker } from './masker.js'
import { isSecretName } from './secrets.js'

const masker = new Masker(() => ['listed-key', 'desk', 'listed-key-2'])

describe('isSecretName', () => {
  it('accepts names of secrets in any spelling', () => {
    const all =
      'Authorization proxy-authorization Cookie set-cookie X-Api-Key api_key apiKeys auth_token webhook[auth_token] ' +
      'accessToken token X-Token client_secret secretKey password user_pass PIN Auth authCode x-jwt-assertion'
    expect(all.split(' ').filter((text) => !isSecretName(text))).toEqual([])
  })

  it('rejects names of harmless values', () => {
    const all =
      'page_token next_token idempotency-key sec-websocket-key key keys tokens_used webhooks.auth-token-absent author ' +
      'www-authenticate agent_handle bypass shipping signature'
    expect(all.split(' ').filter((text) => isSecretName(text))).toEqual([])
  })
})

describe('the signature of a request', () => {
  it('is masked in headers and parameters', () => {
    expect(masker.header('X-Hub-Signature-256', 'sha256=6f1e')).toBe('***')
    expect(masker.header('Stripe-Signature', 't=1,v1=6f1e')).toBe('***')
    expect(masker.url('/?X-Amz-Signature=6f1e')).toBe('/?X-Amz-Signature=***')
    expect(masker.text('{"signature":"Best wishes, Ann"}')).toBe('{"signature":"Best wishes, Ann"}')
  })
})

describe('secrets in forms and XML elements', () => {
  it('are masked by their name', () => {
    const part = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`
    const parts = (secret: string): string => `${part('note', 'hello')}${part('password', secret)}--b--`
    expect(masker.text(parts('hunter2'))).toBe(parts('***'))
    expect(masker.text('<a><ns:password x="1">hunter2</ns:password><b>c</b></a>')).toBe(
      '<a><ns:password x="1">***</ns:password><b>c</b></a>',
    )
  })

  it('are found in linear time', () => {
    for (const text of ['<password>', '<a '.repeat(9), ' name="password"\r\n', '</', '<token>x</token']) {
      expect(masker.text(text.repeat(100_000)).length).toBeGreaterThan(0)
    }
  })
})

describe('secrets in the arguments and environment of a command', () => {
  it('are masked in its output', () => {
    const own = masker.forCommand(['agent', '--token', 'Zq81vK7w', '--key=Rr55tB2x', 'desk-1234'], {
      NPM_TOKEN: 'npm-Tok-9912',
      DESKTOP_SESSION: 'ubuntu-xorg',
      PATH: '/usr/bin:/bin',
      PWD: '/home/ann/agent',
    })
    expect(own.text('Zq81vK7w Rr55tB2x desk-1234 npm-Tok-9912 ubuntu-xorg /usr/bin:/bin')).toBe(
      '*** *** desk-1234 *** ubuntu-xorg /usr/bin:/bin',
    )
    expect(own.text('node /home/ann/agent/main.mjs')).toBe('node /home/ann/agent/main.mjs')
  })
})

describe('known keys', () => {
  it('are masked in any encoding', () => {
    const rows = [
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
    ] as const
    expect(rows.map(([text]) => [text, masker.url(text)])).toEqual(rows)
  })

  it('are masked with special characters', () => {
    const keys = ['a.b*c+d?e', '$&$1(){}[]|^', 'back\\slash"quote', 'ключ-от-ящика', '🔑🔑🔑🔑']
    const strange = new Masker(() => keys)
    for (const key of keys) {
      const encoded = encodeURIComponent(key)
      const ways = [key, encoded, encodeURIComponent(encoded), JSON.stringify(key).slice(1, -1)]
      expect(strange.text(ways.join(' '))).toBe('*** *** *** ***')
    }
    expect(strange.text('axb*c+d?e')).toBe('axb*c+d?e')
  })

  it('are not masked in bodies if they are short', () => {
    expect(masker.text('at the desk with the listed-key')).toBe('at the desk with the ***')
  })

  it('include those of the request', () => {
    const headers = new Headers({ authorization: 'Bearer brought-key', 'x-api-key': 'short' })
    const own = masker.forRequest(headers, '?token=in-the-query&agent=not-a-key')
    expect(own.text('brought-key in-the-query short not-a-key listed-key')).toBe(
      '*** *** short not-a-key ***',
    )
    expect(masker.text('brought-key')).toBe('brought-key')
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

describe('the value of a parameter', () => {
  it('is masked like any text', () => {
    const key = `ghp_${'a1B2'.repeat(6)}`
    const texts = [
      `found ${key} here`,
      `id AKIA${'Z7'.repeat(8)}.`,
      'tool --password Zq1x-9Lk',
      'Authorization: Bearer Zq1x-9Lk',
      '{"auth_token":"Zq1x-9Lk"}',
      'Cookie: theme=dark; seen=Zq1x-9Lk',
      'hvs.Zq1xw9LkPv7Tr',
      'https://shop.example/?a=1&token=Zq1x-9Lk',
    ]
    for (const text of texts) {
      for (const encoded of [encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+')]) {
        const shown = [masker.url(`/x?a=1&note=${encoded}`), masker.parameter('note', text)].join()
        expect(shown, text).not.toMatch(/Zq1x|Z7Z7|a1B2/)
      }
    }
    expect(masker.url('/x?note=see%20you%20at+9%3A00')).toBe('/x?note=see%20you%20at+9%3A00')
    const link = 'next=https%3A%2F%2Fshop.example%2F%3Fa%3D1%26token%3DZq1x'
    expect(masker.text(`first\n${link}%26b%3D2`)).toBe(`first\n${link.replace('Zq1x', '***')}%26b%3D2`)
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
    expect(masker.text(body)).toBe(masked)
  })

  it('are masked in linear time even if malformed', () => {
    const pieces = '" \\ {"token": "a\\" [ {"auth_token":" {"token":['.split(' ')
    for (const piece of [...pieces, ' token ', '"token" ']) {
      const body = piece.repeat(100_000)
      expect(masker.text(body).length).toBeLessThan(2 * body.length)
    }
  })
})

describe('any text', () => {
  it('loses secrets found by name, by shape, or in a URL', () => {
    const cases: readonly (readonly [string, string])[] = [
      [
        'https://u:p@h.test/x?token=a&sig=b&jwt=c&pwd=d&session=e&code=f&plain=g#access_token=h',
        'https://***@h.test/x?token=***&sig=***&jwt=***&pwd=***&session=***&code=***&plain=g#access_token=***',
      ],
      [
        '{"url":"https://u:p@h.test/x?sig=a","error":{"code":"not_found"},"n":"see https://a:b@c/?code=5 ok"}',
        '{"url":"https://***@h.test/x?sig=***","error":{"code":"not_found"},"n":"see https://***@c/?code=*** ok"}',
      ],
      [
        '{"url":"https:\\/\\/u:p@h.test\\/x?a=1\\u0026sig=abc"}',
        '{"url":"https://***@h.test/x?a=1&sig=***"}',
      ],
      [
        'curl -H "Authorization: Bearer abc123" -H "X-Vault-Token: hvs.CAESI" https://x.test?api_key=9',
        'curl -H "Authorization: Bearer ***" -H "X-Vault-Token: ***" https://x.test?api_key=***',
      ],
      ["{ 'x-api-key': 'abc', auth_token: 'def' }", "{ 'x-api-key': '***', auth_token: '***' }"],
      ['5" wide, password=hunter2 and 6" high', '5" wide, password=*** and 6" high'],
      ['Password: hunter2', 'Password: ***'],
      ['<a href="/?a=1&amp;token=abc&amp;sig=99">', '<a href="/?a=1&amp;token=***&amp;sig=***">'],
      ['/cb?to=https%3A%2F%2Fh%2F%3Ftoken%3Dx', '/cb?to=https%3A%2F%2Fh%2F%3Ftoken%3D***'],
      ['it is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dozjgNryP4J3', 'it is ***'],
      ['export API_KEY=abc DB_PASSWORD="x y"', 'export API_KEY=*** DB_PASSWORD="***"'],
      [
        'Authorization: Digest username="a", realm="r", response="abc", nc=1 end',
        'Authorization: Digest *** end',
      ],
      [
        '{"n":"Authorization: Digest username=\\"a\\", response=\\"abc\\""}',
        '{"n":"Authorization: Digest ***"}',
      ],
      [
        'authorization: AWS4-HMAC-SHA256 Credential=A/2026, Signature=abc',
        'authorization: AWS4-HMAC-SHA256 ***',
      ],
      ['curl -u ann:abc --password abc1 --token=abc -v', 'curl -u ann:*** --password *** --token=*** -v'],
      ['machine h login ann password abc', 'machine h login ann password ***'],
      ['https://hooks.slack.com/services/T000/B000/abcdef', 'https://hooks.slack.com/services/***'],
      ['/cb?SAMLResponse=a&oauth_verifier=b&sv_sig=c', '/cb?SAMLResponse=***&oauth_verifier=***&sv_sig=***'],
      ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----.', '***.'],
    ]
    for (const [text, masked] of cases) expect(masker.text(text)).toBe(masked)
  })

  it('is unchanged if it only mentions secrets', () => {
    for (const text of [
      'auth_token: expected a string',
      'Basic information; Bearer authentication required',
      'max_tokens: 50, next_page_token=abc, {"page_token":"x1y2"}',
      '{"auth.keys":"required"}',
      'run it with --password and -u, then login with your password; --verbose yes',
      'the design=3 of https://x.test/?config=4',
    ]) {
      expect(masker.text(text)).toBe(text)
    }
  })
})

it('masks the arguments of a command', () => {
  const command = 'node a.js --token abc --api-key=xyz API_KEY=1 https://u:p@h/?sig=4 -p 80'
  expect(masker.arguments(command.split(' ')).join(' ')).toBe(
    'node a.js --token *** --api-key=*** API_KEY=*** https://***@h/?sig=*** -p 80',
  )
})

it('masks headers by name', () => {
  const headers = { 'X-Vault-Token': 'a', 'x-csrf-token': 'b', referer: 'http://x/?code=1', etag: 'W/"1"' }
  expect(masker.headers(Object.entries(headers))).toEqual({
    'X-Vault-Token': '***',
    'x-csrf-token': '***',
    referer: 'http://x/?code=***',
    etag: 'W/"1"',
  })
})

describe('any JSON', () => {
  it('loses its tokens at any depth and in its strings', () => {
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
