import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createScenarioJsonSchema } from '../../src/story/format/scenario.js'
import { shippedFiles } from '../scenario-examples.js'
import { programInProcess } from './in-process.js'
import { output, refusal } from './outcomes.js'
import { useFolder } from './temporary-folder.js'

const start = programInProcess()

const shipped = shippedFiles().map(([file, scenario]) => {
  return { name: file.replace('.yaml', ''), describe: (scenario as { describe: string }).describe }
})

describe('scenarios list', () => {
  it.each([[[]], [['list']]])('lists every shipped scenario with its contents for %j', async (args) => {
    const text = await output(start, 'scenarios', ...args)
    const rows = [...text.matchAll(/^(\S+) {2,}(\S.*)$/gm)].map(([, name, describe]) => ({ name, describe }))
    expect(rows).toEqual([{ name: 'scenario', describe: 'description' }, ...shipped])
    expect(new Set(text.match(/^\S+ {2,}/gm)?.map(({ length }) => length)).size).toBe(1)
    expect(text).not.toContain('\x1b')
  })

  it('--json has the same data', async () => {
    expect(JSON.parse(await output(start, 'scenarios', '--json'))).toEqual({ scenarios: shipped })
  })
})

describe('scenarios schema', () => {
  it('prints the JSON Schema of the format', async () => {
    const schema = JSON.parse(await output(start, 'scenarios', 'schema'))
    expect(schema).toEqual(JSON.parse(JSON.stringify(createScenarioJsonSchema())))
  })
})

describe('scenarios new', () => {
  it.each(['YAML', 'json', 'ts'])(
    'writes a .%s file that can be used, and says what is next',
    async (ending) => {
      const path = await useFolder()
      const file = path(`My $1st inbox.${ending}`)
      const text = await output(start, 'scenarios', 'new', file)
      expect(text).toContain(`npx agent-mailbox-sim scenarios check '${file}'`)
      expect(text).toContain(`npx agent-mailbox-sim serve '${file}' --watch`)
      expect(text).toContain(`npx agent-mailbox-sim replay '${file}' -- `)
      expect(await output(start, 'scenarios', 'check', file)).toMatch(
        /inbox\.\w+: 1 agent, 41 threads, \d+ messages, 0 webhooks, 1 timeline entry, 2 expectations; digest [0-9a-f]{32}\n$/,
      )
      expect(await readFile(file, 'utf8')).toMatch(/scenario"?: ["']?my-1st-inbox\b/)
    },
  )

  it('does not overwrite a file', async () => {
    const path = await useFolder()
    await writeFile(path('mine.yaml'), 'scenario: mine\n')
    await refusal(start, 'scenarios', 'new', path('mine.yaml'))
    expect(await readFile(path('mine.yaml'), 'utf8')).toBe('scenario: mine\n')
  })
})
