import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/support/temporary-folder.js'
import { MailboxStore } from '../../service/model/mailbox-store.js'
import { loadScenario } from '../load.js'

const guide = await readFile(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8')
const claims = /```yaml\n(# claims\.yaml\n[\s\S]*?)```/.exec(guide)?.[1] ?? ''
const folder = sharedFolder()

const scenarioOf = (kinds: string, more = '') =>
  `scenario: claims\nidentities:\n  - handle: support\n    generate: { threads: 60, messages: 8, kinds: ${kinds} }\n${more}`

async function load(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const noted: string[] = []
  const path = join(folder, 'scenario.yaml')
  const loaded = loadScenario(path, { onFile: (file) => noted.push(file.href.split('/').at(-1) ?? '') })
  return { ...(await loaded), noted }
}

async function messageOf(files: Record<string, string>): Promise<string> {
  const error = await load(files).catch((error: Error) => error)
  return (error as Error).message.replaceAll(`${folder}/`, '')
}

describe("a user's own kind of mail", () => {
  it('is generated in its share beside shipped kinds, without placeholders', async () => {
    const kinds = '{ ./claims.yaml: 3, sales: 1 }'
    const { base, noted } = await load({ 'scenario.yaml': scenarioOf(kinds), 'claims.yaml': claims })
    const store = new MailboxStore(base)
    const subjects = [...store.all('thread')].map(({ subject }) => subject)
    const own = /^Warranty claim CL-|: (?:the switch|the handle|it hums)/
    expect(subjects.filter((subject) => own.test(subject)).length).toBeGreaterThan(30)
    expect(subjects.filter((subject) => !own.test(subject)).length).toBeGreaterThan(5)
    for (const message of store.all('message')) {
      const { text } = store.bodyOf(message)
      expect(text).not.toMatch(/[{}]|undefined/)
    }
    expect(noted).toContain('claims.yaml')
  })

  it('can be in a list and applies to its mailbox and language only', async () => {
    const german =
      '  - { handle: hilfe, locale: de, generate: { threads: 9, kinds: [./claims.yaml] } }\n  - { handle: rest, generate: { threads: 30 } }\n'
    const { base } = await load({
      'scenario.yaml': scenarioOf('[./claims.yaml]', german),
      'claims.yaml': claims,
    })
    const store = new MailboxStore(base)
    const identities = new Map([...store.all('identity')].map(({ id, agent_handle }) => [id, agent_handle]))
    const textsOf = (handle: string) =>
      [...store.all('message')]
        .filter(({ identity_id }) => identities.get(identity_id) === handle)
        .map((message) => store.bodyOf(message).text ?? '')
    expect(textsOf('hilfe').join('\n')).toMatch(/Guten Tag|Hallo/)
    expect(textsOf('rest').filter((text) => /CL-\d/.test(text))).toEqual([])
  })

  it('is refused with the places of all problems in its file', async () => {
    const broken = claims
      .replace('{claim} is open', '{clam} is open')
      .replace('with: purchase', 'with: purchases')
      .replace('file: receipt.pdf', 'file: recipt.pdf')
    const files = { 'scenario.yaml': scenarioOf('{ ./claims.yaml: 1 }') }
    const lineOf = (text: string) => claims.slice(0, claims.indexOf(text)).split('\n').length
    expect(await messageOf({ ...files, 'claims.yaml': broken })).toBe(
      `claims.yaml:${lineOf('receipt.pdf')}:22: attachments[0].file: expected invoice.pdf, receipt.pdf, screenshot.png, logo.png, orders.csv, error-log.txt or meeting.ics, found "recipt.pdf"; did you mean "receipt.pdf"?`,
    )
    const ordered = claims
      .replace('{claim} is open', '{clam} is open')
      .replace('order {order}', 'order {ordr}')
    expect((await messageOf({ ...files, 'claims.yaml': ordered })).split('\n')).toEqual([
      `claims.yaml:${lineOf('order {order}')}:5: opening[0]: there is no "ordr"; did you mean "order"?`,
      `claims.yaml:${lineOf('{claim} is open')}:5: answer[0]: there is no "clam"; did you mean "claim"?`,
    ])
    expect(
      await messageOf({ ...files, 'claims.yaml': claims.replace('answer:\n  - I am', 'anwser:\n  - I am') }),
    ).toMatch(/^claims\.yaml:\d+:1: anwser: unknown key; did you mean "answer"\?/)
    expect(await messageOf({ ...files, 'claims.yaml': 'subject: [unclosed' })).toMatch(
      /^claims\.yaml:\d+:\d+: /,
    )
  })

  it('is refused for a missing file, together with other problems', async () => {
    const files = {
      'scenario.yaml': `${scenarioOf('{ ./gone.yaml: 1, support: 1 }')}webhooks: [{ url: 'http://127.0.0.1:9/', events: [message.received], agent_handle: nobody }]\n`,
    }
    const lines = (await messageOf(files)).split('\n')
    expect(lines[0]).toBe(
      'scenario.yaml:4:52: identities[0].generate.kinds../gone.yaml: there is no file "./gone.yaml" beside the scenario; your own kind of mail is a YAML file beside the scenario; the others are support, sales, newsletters, receipts, calendar, bounces, spam',
    )
    expect(lines[1]).toMatch(/^scenario\.yaml:5:\d+: webhooks\[0\]\.agent_handle/)
  })
})
