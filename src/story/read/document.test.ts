import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import type { ScenarioInput } from '../format/scenario.js'
import { loadScenario } from '../load.js'
import { mapPaths, readScenarioDocument } from './document.js'

const written: ScenarioInput = {
  scenario: 'files',
  assume: './assumptions.yaml',
  extend: ['common', './operations.ts'],
  identities: [
    {
      handle: 'eva',
      maildir: ['./inbox'],
      generate: { threads: 1, kinds: { support: 1, './claims.yaml': 3 } },
      threads: [
        { messages: [{ eml: './a.eml', attachments: ['b.pdf', { file: './c.txt', filename: 'x.txt' }] }] },
        { messages: [{ maildir: './archive' }] },
      ],
    },
  ],
  organizations: [
    { name: './no.yaml', identities: [{ handle: 'max', generate: { threads: 1, kinds: ['./own.yaml'] } }] },
  ],
  timeline: [
    { after: '1s', receive: { eml: 'From: a@b.example\n\nHello' } },
    { after: '1s', send: { from: 'eva', to: 'a@b.example', text: './no.txt', attachments: ['./d.ics'] } },
    { after: '1s', assume: { 'threads.total': './no.yaml' as never } },
  ],
}

describe('the files that a scenario names', () => {
  it('are found by the marks of the schema, and nothing else is', () => {
    const found: string[] = []
    const changed = mapPaths(written, (path) => {
      found.push(path)
      return `/at/${path.replace('./', '')}`
    })
    expect(found.toSorted()).toEqual([
      ...[
        './a.eml',
        './archive',
        './assumptions.yaml',
        './c.txt',
        './claims.yaml',
        './d.ics',
        './inbox',
        './operations.ts',
      ],
      ...['./own.yaml', 'b.pdf'],
    ])
    expect(JSON.parse(JSON.stringify(changed).replaceAll('/at/', './').replace('./b.pdf', 'b.pdf'))).toEqual(
      written,
    )
  })

  it('are made absolute where they exist, and watched', async () => {
    const folder = await folderOf({
      'own/story.yaml':
        'scenario: story\nassume: ../r.yaml\nextend: ../e.ts\n' +
        'identities: [{ handle: eva, maildir: ../in, generate: { threads: 1, kinds: [../k.yaml] }, threads: [{ messages: [{ eml: ../a.eml }] }] }]\n',
      ...{ 'r.yaml': '{}', 'k.yaml': '{}', 'a.eml': 'Subject: x\n\ny' },
      ...{ 'e.ts': 'export default []', 'in/1.eml': 'Subject: x\n\ny' },
    })
    const { document } = await readScenarioDocument(`${folder}/own/story.yaml`, undefined)
    const names = ['r.yaml', 'e.ts', 'in', 'k.yaml', 'a.eml']
    for (const name of names) expect(JSON.stringify(document), name).toContain(`"${folder}/${name}"`)
    const noted: string[] = []
    const onFile = (file: URL): void => void noted.push(file.pathname)
    await loadScenario(`${folder}/own/story.yaml`, { onFile }).catch(() => undefined)
    // A folder of mail is read once the other files can be used.
    const first = names.filter((name) => name !== 'in')
    for (const name of first) expect(noted, name).toContain(`${folder}/${name}`)
  })
})
