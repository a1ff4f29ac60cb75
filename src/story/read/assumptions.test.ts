import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/support/temporary-folder.js'
import { chooseAssumptions, profileAssumptions } from '../../service/assumptions/assumptions.js'
import { assumptionsLayers } from './assumptions.js'

const folder = sharedFolder()

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const chosen = async (input: string) =>
  chooseAssumptions(await assumptionsLayers({ from: '--assume', input }))
const refusal = (input: string) =>
  chosen(input).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

describe('assumptions given as text', () => {
  it('can be a profile or a list of gap=assumption', async () => {
    expect((await chosen('worst-case')).assumptions).toEqual(profileAssumptions('worst-case'))
    const { assumptions } = await chosen('threads.total=page-size,threads.order=created-asc')
    expect(assumptions).toMatchObject({ 'threads.total': 'page-size', 'threads.order': 'created-asc' })
  })

  it('can be a file that extends a profile or another file', async () => {
    file('base.json', '{"extends": "worst-case", "assume": {"threads.total": "all-threads"}}')
    const path = file('mine.yaml', 'extends: ./base.json\nassume:\n  threads.order: created-asc\n')
    const { assumptions, origins } = await chosen(path)
    expect(assumptions).toEqual({
      ...profileAssumptions('worst-case'),
      'threads.total': 'all-threads',
      'threads.order': 'created-asc',
    })
    expect(origins['threads.order']).toBe(`--assume: ${path}`)
  })

  it('leave other assumptions unchanged for a file without a profile', async () => {
    const path = file('some.yaml', 'assume: { threads.total: page-size }')
    const layers = await assumptionsLayers({ from: '--assume', input: path })
    const { assumptions } = chooseAssumptions([
      { from: 'scenario', input: { 'threads.order': 'created-asc' } },
      ...layers,
    ])
    expect(assumptions).toMatchObject({ 'threads.total': 'page-size', 'threads.order': 'created-asc' })
  })

  it('are refused with the place and the nearest name', async () => {
    const wrong = file('wrong.yaml', 'assume:\n  threads.total: page\n')
    expect(await refusal(wrong)).toContain('Choose one of all-matches, page-size, all-threads')
    const key = file('key.yaml', 'extend: worst-case\n')
    expect(await refusal(key)).toContain(`${key}:1:1: extend: unknown key; did you mean "extends"?`)
    expect(await refusal(file('broken.yaml', 'assume: {'))).toMatch(/broken\.yaml:\d+:\d+: /)
    expect(await refusal('./nowhere.yaml')).toContain('There is no file of assumptions "./nowhere.yaml"')
    expect(await refusal('worst')).toContain('worst-case')
    expect(await refusal('threads.total=pagesize')).toContain('did you mean "page-size"?')
  })

  it('are refused with the place of each problem', async () => {
    const keys = file('keys.yaml', 'scenario: x\nseed: 1\n')
    const text = await refusal(keys)
    expect(text).toContain(`${keys}:1:1: scenario: unknown key`)
    expect(text).toContain(`${keys}:2:1: seed: unknown key`)
    const two = file('two.yaml', 'assume:\n  threads.totl: page-size\n  threads.order: newest\n')
    expect((await refusal(two)).split('\n')).toEqual([
      expect.stringContaining(`${two}:2:3: assume.threads.totl: There is no gap "threads.totl"`),
      expect.stringContaining(
        `${two}:3:18: assume.threads.order: "newest" is not an assumption of threads.order`,
      ),
    ])
    for (const content of ['', '# nothing\n', 'worst-case\n']) {
      const other = file('other.yaml', content)
      expect(await refusal(other)).toMatch(
        /expected a map with extends or assume, found .*\nA file of assumptions has the form \{ extends/,
      )
    }
  })

  it('can be YAML numbers or null', async () => {
    const path = file('plain.yaml', 'assume:\n  auth.missing-status: 403\n  identities.patch-null: null\n')
    const { assumptions } = await chosen(path)
    expect(assumptions).toMatchObject({ 'auth.missing-status': '403', 'identities.patch-null': 'null' })
    const list = file('list.yaml', 'assume:\n  threads.total: [page-size]\n')
    expect(await refusal(list)).toContain(
      `${list}:2:18: assume.threads.total: expected the name of an assumption`,
    )
    expect(await refusal(file('word.yaml', 'assume: worst-case'))).toContain('expected assumptions by gap')
  })

  it('are refused if a file that another one extends names a further file', async () => {
    const path = file('one.yaml', 'extends: ./two.yaml')
    file('two.yaml', 'extends: ./one.yaml')
    expect(await refusal(path)).toContain('./two.yaml: a file that another one extends may extend a profile')
  })
})
