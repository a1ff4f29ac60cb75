import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../support/temporary-folder.js'
import { ask, refusal } from './control-client.js'
import { serveDesk } from './desk.js'

/** Creates a folder with files that no request over HTTP may read or run. */
async function canaries() {
  const folder = await folderOf()
  const ran = join(folder, 'ran')
  const scenario = "{ scenario: 'canary', identities: [{ handle: 'canary' }] }"
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write('scenario.yaml', 'scenario: canary\nidentities:\n  - handle: canary\n')
  await write('scenario.json', '{"scenario": "canary", "identities": [{"handle": "canary"}]}')
  const module = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(ran)}, '')\nexport default ${scenario}\n`
  await write('scenario.ts', module)
  await write('scenario.mjs', module)
  await write('canary.txt', 'canary')
  await write('canary.eml', 'From: a@b.example\r\nTo: desk@agents.example\r\nSubject: canary\r\n\r\ncanary')
  await write('assumptions.yaml', 'assume: { threads.total: page-size }\n')
  return { folder, ran: () => existsSync(ran) }
}

/** Returns every spelling of a path. */
const waysTo = (file: string): string[] => {
  const url = pathToFileURL(file).href
  return [
    file,
    relative(process.cwd(), file),
    `./${relative(process.cwd(), file)}`,
    relative(new URL('../../fixtures/attachments', import.meta.url).pathname, file),
    relative(new URL('../../scenarios', import.meta.url).pathname, file),
    url,
    url.replace('file://', 'file:'),
    url.replaceAll('/', '\\'),
    `file:${file.replaceAll('/', '\\')}`,
  ]
}

describe('a scenario given over HTTP', () => {
  it.each(['scenario.yaml', 'scenario.json', 'scenario.ts', 'scenario.mjs'])(
    'is never a path: %s is neither read nor run',
    async (name) => {
      const server = await serveDesk()
      const { folder, ran } = await canaries()
      for (const scenario of waysTo(join(folder, name))) {
        expect(await refusal(server, 'POST', '/worlds', { body: { scenario } })).toMatch(
          /^400 unknown_scenario: /,
        )
        expect(await refusal(server, 'POST', '/worlds', { body: { scenario, seed: 3 } })).toMatch(
          /^400 unknown/,
        )
      }
      expect([server.simulator.worlds().length, ran()]).toEqual([1, false])
      // The same file is read and run if the program itself asks for it.
      const own = await server.simulator.addWorld({ scenario: join(folder, name) })
      expect([own.scenario, ran()]).toEqual(['canary', /[jt]s$/.test(name) && !name.endsWith('json')])
    },
  )

  it('refuses all files but shipped attachments', async () => {
    const server = await serveDesk()
    const { folder } = await canaries()
    const mailbox = (messages: object[], more: object = {}) => ({
      scenario: 'own',
      identities: [{ handle: 'desk', threads: [{ messages }], ...more }],
    })
    const received = (more: object) => ({ after: '1s', receive: { to: 'desk', text: 'x', ...more } })
    const [text, eml] = [join(folder, 'canary.txt'), join(folder, 'canary.eml')]
    // Every spelling of a path for the first kind of file, and three of them for each other kind.
    const places: readonly [path: string, scenario: (path: string) => object][] = [
      [text, (file) => mailbox([{ text: 'x', attachments: [file] }])],
      [text, (file) => mailbox([{ text: 'x', attachments: [{ file, filename: 'a.txt' }] }])],
      [eml, (file) => mailbox([{ eml: file }])],
      [folder, (maildir) => mailbox([{ maildir }])],
      [folder, (maildir) => mailbox([{ text: 'x' }], { maildir })],
      [folder, (maildir) => mailbox([{ text: 'x' }], { maildir: [maildir] })],
      [text, (file) => ({ ...mailbox([{ text: 'x' }]), timeline: [received({ attachments: [file] })] })],
      [eml, (file) => ({ ...mailbox([{ text: 'x' }]), timeline: [received({ eml: file })] })],
      [join(folder, 'assumptions.yaml'), (assume) => ({ ...mailbox([{ text: 'x' }]), assume })],
    ]
    const refused = places.flatMap(([path, scenario], index) => {
      return waysTo(path)
        .filter((_, way) => index === 0 || way % 3 === index % 3)
        .map(scenario)
    })
    for (const scenario of refused) {
      const message = await refusal(server, 'POST', '/worlds', { body: { scenario } })
      expect(message).toMatch(/^400 invalid_scenario: own: .*(not a shipped file|may not name a file)/)
      // The message does not reveal whether the file exists.
      expect(message).not.toMatch(/no such file|there is no f|is a folder|is a file|permission|canary:/i)
    }
    expect(server.simulator.worlds()).toHaveLength(1)
  })

  it('refuses a file of assumptions', async () => {
    const server = await serveDesk()
    const { folder } = await canaries()
    for (const assume of waysTo(join(folder, 'assumptions.yaml'))) {
      expect(await refusal(server, 'POST', '/worlds', { body: { assume } })).toMatch(/^400 unknown_profile/)
    }
    expect(server.simulator.worlds()).toHaveLength(1)
  })

  it('accepts shipped and inline attachments', async () => {
    const server = await serveDesk()
    const message = {
      text: 'See both.',
      attachments: [
        'invoice.pdf',
        { filename: 'own.txt', text: 'mine' },
        { filename: 'b.bin', content: 'AAE=' },
      ],
    }
    const scenario = {
      scenario: 'own',
      seed: 5,
      assume: { 'messages.attachment-entry': 'full' },
      identities: [{ handle: 'desk', threads: [{ messages: [message] }], generate: { threads: 20 } }],
    }
    const { status, body } = await ask(server, 'POST', '/worlds', { body: { scenario } })
    expect([status, body.scenario, body.seed]).toEqual([201, 'own', 5])
    const { counts } = (await ask(server, 'GET', '/world', { world: body.id })).body
    expect(counts).toMatchObject({ agents: 1, threads: 21 })
    const headers = { authorization: `Bearer ${body.api_key}` }
    const lists = await fetch(`${server.url}/api/v1/mail/messages?agent=desk&limit=100`, { headers })
    const { messages } = await lists.json()
    const [{ attachments }] = messages.filter(({ text }: { text: string }) => text === 'See both.')
    expect(attachments.map(({ filename }: { filename: string }) => filename)).toEqual([
      'invoice.pdf',
      'own.txt',
      'b.bin',
    ])
  })

  it('accepts shipped scenarios with all their files', async () => {
    const server = await serveDesk()
    for (const scenario of ['world-mail', 'bounce-storm', 'prompt-injection']) {
      expect((await ask(server, 'POST', '/worlds', { body: { scenario } })).status).toBe(201)
    }
  })
})
