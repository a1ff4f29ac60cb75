import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/doors/server/start-server.js'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import { blocksIn } from '../support/documents.js'
import { sharedFolder } from '../support/temporary-folder.js'

const folder = sharedFolder()
let server: RunningServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

async function serve(...extend: string[]): Promise<RunningServer> {
  const quiet = { onUndocumented: () => undefined, onDefect: () => undefined }
  server = await startServer({ scenario, port: 0, extend, ...quiet })
  return server
}

async function ask({ url }: RunningServer, method: string, path: string, body?: unknown) {
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${url}${path}`, init)
  return { status: answer.status, body: await answer.json() }
}

/** The modules that the page shows, in order. */
function examples(): string[] {
  const shown = blocksIn('docs/extensions.md').filter(({ text }) => text.includes('export default'))
  return shown.map(({ text }) => withImport(text))
}

function withImport(code: string): string {
  return code.startsWith('import') ? code : `import { defineExtension } from 'agent-mailbox-sim'\n${code}`
}

describe('a file with an extension', () => {
  const mail = { agent: 'support', to: ['ann@example.com'], subject: 'Hello', text: 'Hi' }

  it('works over HTTP as documented', async () => {
    const [first = '', second = ''] = examples()
    const running = await serve(await file('operations.ts', first))
    const sent = await ask(running, 'POST', '/api/v1/mail/messages', mail)
    expect(sent).toMatchObject({ status: 201, body: { subject: 'Hello' } })
    const thread = await ask(running, 'GET', `/api/v1/mail/threads/${sent.body.thread_id}`)
    expect(thread).toMatchObject({ status: 200, body: { message_count: 1 } })
    const { exchanges } = (await ask(running, 'GET', '/_sim/journal?operation=messages.send')).body
    expect(exchanges).toMatchObject([{ request: { body: JSON.stringify(mail) } }])
    const { paths } = (await ask(running, 'GET', '/_sim/openapi.json')).body
    expect(paths['/api/v1/mail/messages'].post).toMatchObject({ 'x-extension': true })
    await running.close()
    const other = await serve(await file('unsure.ts', second))
    expect((await ask(other, 'POST', '/api/v1/mail/messages', mail)).status).toBe(201)
    const change = { 'messages.send-status': 'accepted' }
    const { gaps } = (await ask(other, 'PATCH', '/_sim/assumptions', change)).body
    expect(gaps.at(-1)).toMatchObject({ gap: 'messages.send-status', assumption: 'accepted' })
    expect((await ask(other, 'POST', '/api/v1/mail/messages', mail)).status).toBe(202)
  })

  it('reports where it fails while the server keeps running', async () => {
    const path = await file(
      'fails.ts',
      `import { defineExtension } from 'agent-mailbox-sim'
export default defineExtension(({ operation }) => [
  operation({ id: 'a.b', method: 'POST', path: '/api/v1/a', perform: ({ request }) => {
    const none: any = undefined
    return none.length + request.url
  } }),
])
`,
    )
    const running = await serve(path)
    const { status, body } = await ask(running, 'POST', '/api/v1/a')
    expect([status, body.error.message]).toEqual([
      500,
      expect.stringContaining(`operation a.b failed at ${path}:5:17: TypeError: Cannot read`),
    ])
    expect((await ask(running, 'GET', '/api/v1/mail/threads')).status).toBe(200)
  })

  it('explains missing arguments of send() and settle()', async () => {
    const path = await file(
      'mail.ts',
      `import { defineExtension } from 'agent-mailbox-sim'
export default defineExtension(({ operation, gap }) => {
  const open = gap({ id: 'a.status', question: 'Which?', assumptions: { one: 'One.', two: 'Two.' } })
  const to = ['a@example.com']
  const add = (name: string, perform: (context: any) => unknown) =>
    operation({ id: 'a.' + name, method: 'POST', path: '/api/v1/' + name, perform })
  return [
    add('typo', ({ send }) => send({ from: 'support', to, subjct: 'x' })),
    add('one', ({ send }) => send({ from: 'support', to: 'a@example.com' })),
    add('nobody', ({ send }) => send({ to })),
    add('half', ({ settle }) => settle(open, { one: () => 1 })),
    open,
  ]
})
`,
    )
    const running = await serve(path)
    const messages = await Promise.all(
      ['typo', 'one', 'nobody', 'half'].map(async (name) => {
        const { status, body } = await ask(running, 'POST', `/api/v1/${name}`)
        expect(status, name).toBe(500)
        return body.error.message
      }),
    )
    expect(messages).toEqual([
      expect.stringMatching(
        /a\.typo failed at .*mail\.ts:8:\d+: .*send\(\) has no "subjct"; did you mean "subject"\?/,
      ),
      expect.stringMatching(/a\.one failed at .*mail\.ts:9:\d+: .*needs to: a list/),
      expect.stringMatching(/a\.nobody failed at .*mail\.ts:10:\d+: .*needs from: an agent/),
      expect.stringMatching(
        /a\.half failed at .*mail\.ts:11:\d+: .*of a\.status has no function for the assumption "two"/,
      ),
    ])
  })

  it.each([
    ['syntax.ts', 'export default defineExtension((', /syntax\.ts:1: .*Unexpected token/],
    [
      'nothing.ts',
      'export const a = 1',
      /nothing\.ts: there is no default export; expected export default define/,
    ],
    [
      'wrong.ts',
      'export default { a: 1 }',
      /wrong\.ts: An extension is the result of defineExtension, .*found an object of a/,
    ],
    [
      'id.ts',
      "import { defineExtension } from 'agent-mailbox-sim'\nexport default defineExtension(({ operation }) => [\n  operation({ id: 'x' }),\n])",
      /id\.ts:3: the module throws ExtensionError: The operation "x" does not fit: expected an id such as "threads\.get"/,
    ],
    [
      'missing-import.ts',
      "import './none.js'\nexport default []",
      /missing-import\.ts:1: .*Cannot find module .\.\/none\.js/,
    ],
  ])('is refused with its place: %s', async (name, text, message) => {
    const path = await file(name, text)
    await expect(createSimulator({ scenario, extend: [path] })).rejects.toThrow(message)
  })

  it('is refused when it does not exist', async () => {
    await expect(createSimulator({ scenario, extend: ['./none.ts'] })).rejects.toThrow(
      './none.ts: there is no such file',
    )
    await expect(createSimulator({ scenario, extend: ['commn'] })).rejects.toThrow(
      'expected a .ts or .js file such as ./operations.ts, or a shipped one: common',
    )
  })

  it('is refused at the line of the scenario that names it', async () => {
    const one = await file('one.yaml', 'scenario: desk\nextend: ./nowhere.ts\n')
    await expect(createSimulator({ scenario: one })).rejects.toThrow(
      `${one}:2:9: extend: "./nowhere.ts": there is no such file; an extension is a file such as ./operations.ts, or common`,
    )
    const two = await file('two.yaml', 'scenario: desk\nextend: [common, ./mail.txt]\n')
    await expect(createSimulator({ scenario: two })).rejects.toThrow(
      `${two}:2:18: extend[1]: "./mail.txt": expected a .ts or .js file`,
    )
  })

  it('is reloaded with its scenario, even if the scenario names it', async () => {
    const operation = (answer: string) => `import { defineExtension } from 'agent-mailbox-sim'
export default defineExtension(({ operation }) => [
  operation({ id: 'me.get', method: 'GET', path: '/api/v1/me', perform: () => '${answer}' }),
])`
    await file('me.ts', operation('one'))
    const story = await file(
      'story.yaml',
      `scenario: story
extend: ./me.ts
timeline: [{ after: 1s, fault: { operation: me.get, status: 503, times: 1 } }]
expect: [{ request: me.get, times: 1, after: me.get }]
`,
    )
    server = await startServer({ scenario: story, port: 0, clock: 'frozen' })
    expect((await ask(server, 'GET', '/api/v1/me')).body).toBe('one')
    await server.simulator.clock.advance('2s')
    expect((await ask(server, 'GET', '/api/v1/me')).status).toBe(503)
    await file('me.ts', operation('two'))
    expect(server.simulator.files.map(({ pathname }) => pathname)).toContain(join(folder, 'me.ts'))
    await server.simulator.reload()
    expect((await ask(server, 'GET', '/api/v1/me')).body).toBe('two')
  })

  it('may be named by its scenario and again beside it', async () => {
    const [, unsure = ''] = examples()
    const path = await file('twice.ts', unsure)
    const story = await file('twice.yaml', 'scenario: twice\nextend: [./twice.ts]\n')
    const link = join(folder, 'link.ts')
    await symlink(path, link)
    const simulator = await createSimulator({ scenario: story, extend: [path, path, link] })
    expect(Object.keys(simulator.assumptions.current())).toContain('messages.send-status')
  })
})
