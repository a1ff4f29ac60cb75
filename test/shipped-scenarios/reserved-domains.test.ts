import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseEml } from '../../src/mail/parse-eml.js'
import { openStory, storyInput, storyNames, storyText } from './story.js'

const root = new URL('../../', import.meta.url)
// Japanese text follows an address without a space.
const reserved = /\.(?:example|test|invalid)(?![\w.-])/

/** Host names in addresses and URLs, and words that look like public domains. */
function hostsIn(text: string): string[] {
  const addresses = [...text.matchAll(/[\p{L}\p{N}._%+-]@((?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+)/gu)]
  const urls = [...text.matchAll(/\b(?:https?|ftp|wss?):\/\/([^\s/:?#"'<>()\\]+)/gu)]
  const others = [
    ...text.matchAll(/\b((?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|info|biz|co|app|ai|de|fr|jp|br|uk))\b/gi),
  ]
  return [...addresses, ...urls, ...others].map(([, host = '']) => host.replace(/\.$/, ''))
}

function strangersIn(text: string): string[] {
  return hostsIn(text).filter((host) => host !== '127.0.0.1' && !reserved.test(host))
}

function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root)).flatMap((name) => {
    const path = `${folder}${name}`
    return statSync(new URL(path, root)).isDirectory() ? filesBelow(`${path}/`) : [path]
  })
}

const ownFixtures = ['auto-replies', 'bounces', 'duplicates', 'prompt-injection', 'world-mail'].flatMap(
  (folder) => filesBelow(`fixtures/mail/${folder}/`),
)

describe('the domains in shipped files', () => {
  it.each(storyNames)('%s.yaml names only reserved ones', (name) => {
    const comments = storyText(name).match(/#.*$/gm) ?? []
    expect(strangersIn([...stringsOf(storyInput(name)), ...comments].join('\n'))).toEqual([])
  })

  it.each(storyNames)('%s shows only reserved ones, even in generated mail', async (name) => {
    const readings = { 'messages.limit-maximum': 'none', 'messages.headers': 'object' } as const
    const story = await openStory(name, { readings })
    await story.play()
    const texts: string[] = []
    for (const { agent_handle, mailbox_address } of story.simulator.identities.list()) {
      const { messages } = await story.messages(`agent=${agent_handle}&limit=200`)
      texts.push(mailbox_address, ...stringsOf(messages))
    }
    expect(new Set(strangersIn(texts.join('\n')))).toEqual(new Set())
  })

  it('are reserved ones in every mail', async () => {
    for (const path of ownFixtures) {
      const source = readFileSync(new URL(path, root))
      const mail = await parseEml(source)
      const files = mail.attachments.map(({ content }) => Buffer.from(content, 'base64').toString())
      expect(strangersIn([source.toString('utf8'), ...stringsOf(mail), ...files].join('\n')), path).toEqual(
        [],
      )
    }
  })
})

/** Every text in a value; base64 of attached files is no text. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (key === 'content' ? [] : stringsOf(part)))
}

describe('the fixtures', () => {
  const users = [...filesBelow('scenarios/'), ...filesBelow('src/'), ...filesBelow('test/')]
  const words = users.map((path) => readFileSync(new URL(path, root), 'utf8')).join('\n')

  it('are each used in a scenario', () => {
    const unused = ownFixtures.filter((path) => {
      const folder = path.slice(0, path.lastIndexOf('/'))
      return !words.includes(`eml: ../${path} `) && !words.includes(`maildir: ../${folder}\n`)
    })
    expect(unused).toEqual([])
    const attachments = filesBelow('fixtures/attachments/').map((path) =>
      path.slice(path.lastIndexOf('/') + 1),
    )
    expect(attachments.filter((name) => !words.includes(`'${name}'`))).toEqual([])
  })

  it('have CRLF line ends and no lines above the limit of mail', () => {
    for (const path of ownFixtures) {
      const source = readFileSync(new URL(path, root), 'latin1')
      expect(source.replaceAll('\r\n', ''), path).not.toMatch(/[\r\n]/)
      expect(source, path).toMatch(/[^\r\n]\r\n$/)
      const longest = Math.max(...source.split('\r\n').map(({ length }) => length))
      expect(longest, path).toBeLessThanOrEqual(998)
    }
  })
})
