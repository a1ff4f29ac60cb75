import { describe, expect, it, vi } from 'vitest'
import { loadScenario } from '../src/story/load.js'
import { followFakeTimers } from './support/fake-timers.js'
import { folderOf } from './support/temporary-folder.js'

const load = (agent: object, more: object = {}) => {
  return loadScenario({ scenario: 'inbox', identities: [{ handle: 'eva', ...agent }], ...more } as never)
}

describe('the templates of a scenario', () => {
  it('are refused if their sum is too large', async () => {
    const text = '{{helpers.multiple(0,{"count":0})}}{{string.sample(10000)}}'
    const long = `{{helpers.slugify("${'a'.repeat(9_000)}")}}`.repeat(110)
    const messages = Array.from({ length: 105 }, (_, index) => ({
      from: 'a@b.example',
      text: `${long}${text}${index}`,
    }))
    const refused = load({ threads: [{ messages }] })
    await expect(refused).rejects.toThrow(/^[^\n]* add up to more than 100,000,000 characters[^\n]*$/)
  })

  it('do not block the event loop', async () => {
    await load({ display_name: '{{person.fullName}}' })
    const texts = Array.from({ length: 20 }, (_, index) => `{{lorem.lines(${60 + index})}}`)
    const turns = await turnsDuring(() => {
      return load({ threads: [{ messages: texts.map((text) => ({ from: 'a@b.example', text })) }] })
    })
    expect(turns).toBeGreaterThan(texts.length)
  })
})

followFakeTimers()

it('an mbox may be larger than a message may be, but not a message in it', async () => {
  const mail = (mebibytes: number): string =>
    `From ann@x Mon Jan  5\nSubject: x\n\n${'x'.repeat(mebibytes * 1024 * 1024)}\n\n`
  const loadMbox = async (mbox: string) => {
    const story = 'scenario: inbox\nidentities: [{ handle: eva, maildir: ./mbox }]\n'
    return loadScenario(`${await folderOf({ mbox, 'story.yaml': story })}/story.yaml`)
  }
  expect((await loadMbox(mail(13) + mail(13))).base.database.count('message')).toBe(2)
  await expect(loadMbox(mail(0) + mail(25))).rejects.toThrow('has 25.1 MiB; up to 25 MiB are read')
})

/** Counts the turns of the event loop during some work. */
async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let now = performance.now()
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await act()
  isOver = true
  watch.mockRestore()
  return turns
}
