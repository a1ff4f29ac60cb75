import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/support/temporary-folder.js'
import { chooseReadings, profileReadings } from '../../service/readings/readings.js'
import { readingsLayers } from './readings.js'

const folder = sharedFolder()

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const chosen = async (input: string) => chooseReadings(await readingsLayers({ from: '--readings', input }))
const refusal = (input: string) =>
  chosen(input).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

describe('readings given as text', () => {
  it('can be a profile or a list of gap=reading', async () => {
    expect((await chosen('worst-case')).readings).toEqual(profileReadings('worst-case'))
    const { readings } = await chosen('threads.total=page-size,threads.order=created-asc')
    expect(readings).toMatchObject({ 'threads.total': 'page-size', 'threads.order': 'created-asc' })
  })

  it('can be a file that extends a profile or another file', async () => {
    file('base.json', '{"extends": "worst-case", "readings": {"threads.total": "all-threads"}}')
    const path = file('mine.yaml', 'extends: ./base.json\nreadings:\n  threads.order: created-asc\n')
    const { readings, origins } = await chosen(path)
    expect(readings).toEqual({
      ...profileReadings('worst-case'),
      'threads.total': 'all-threads',
      'threads.order': 'created-asc',
    })
    expect(origins['threads.order']).toBe(`--readings: ${path}`)
  })

  it('leave other readings unchanged for a file without a profile', async () => {
    const path = file('some.yaml', 'readings: { threads.total: page-size }')
    const layers = await readingsLayers({ from: '--readings', input: path })
    const { readings } = chooseReadings([
      { from: 'scenario', input: { 'threads.order': 'created-asc' } },
      ...layers,
    ])
    expect(readings).toMatchObject({ 'threads.total': 'page-size', 'threads.order': 'created-asc' })
  })

  it('are refused with the place and the nearest name', async () => {
    const wrong = file('wrong.yaml', 'readings:\n  threads.total: page\n')
    expect(await refusal(wrong)).toContain('Choose one of all-matches, page-size, all-threads')
    const key = file('key.yaml', 'extend: worst-case\n')
    expect(await refusal(key)).toContain(`${key}:1:1: unknown key "extend"; did you mean "extends"?`)
    expect(await refusal(file('broken.yaml', 'readings: {'))).toMatch(/broken\.yaml:\d+:\d+: /)
    expect(await refusal('./nowhere.yaml')).toContain('There is no file of readings "./nowhere.yaml"')
    expect(await refusal('worst')).toContain('worst-case')
    expect(await refusal('threads.total=pagesize')).toContain('did you mean "page-size"?')
  })

  it('are refused with the place of each problem', async () => {
    const keys = file('keys.yaml', 'scenario: x\nseed: 1\n')
    const text = await refusal(keys)
    expect(text).toContain(`${keys}:1:1: unknown key "scenario"`)
    expect(text).toContain(`${keys}:2:1: unknown key "seed"`)
    const two = file('two.yaml', 'readings:\n  threads.totl: page-size\n  threads.order: newest\n')
    expect((await refusal(two)).split('\n')).toEqual([
      expect.stringContaining(`${two}:2:17: There is no gap "threads.totl"`),
      expect.stringContaining(`${two}:3:18: "newest" is not a reading of threads.order`),
    ])
    for (const content of ['', '# nothing\n', 'worst-case\n']) {
      const other = file('other.yaml', content)
      expect(await refusal(other)).toBe(
        `${other}:1:1: A file of readings has the form { extends: worst-case, readings: { threads.total: page-size } }.`,
      )
    }
  })

  it('can be YAML numbers or null', async () => {
    const path = file('plain.yaml', 'readings:\n  auth.missing-status: 403\n  identities.patch-null: null\n')
    const { readings } = await chosen(path)
    expect(readings).toMatchObject({ 'auth.missing-status': '403', 'identities.patch-null': 'null' })
    const list = file('list.yaml', 'readings:\n  threads.total: [page-size]\n')
    expect(await refusal(list)).toContain(
      `${list}:2:18: readings.threads.total expected the name of a reading`,
    )
    expect(await refusal(file('word.yaml', 'readings: worst-case'))).toContain('expected readings by gap')
  })

  it('are refused if a file extends itself', async () => {
    const path = file('one.yaml', 'extends: ./two.yaml')
    file('two.yaml', 'extends: ./one.yaml')
    expect(await refusal(path)).toContain('extends itself')
  })
})
