import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseEml } from '../../src/mail/parse-eml.js'
import { strangersIn, stringsOf } from './domains.js'
import { storyInput, storyNames, storyText } from './story.js'

const root = new URL('../../', import.meta.url)
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
