import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { folderOf } from '../../test/support/temporary-folder.js'
import { openSimulator } from '../doors/simulator/create-simulator.js'
import {
  addEntries,
  addFault,
  addRestart,
  moveEntries,
  namedTimeline,
  resolveAssumptions,
  setAssumptions,
  writeMailAs,
} from './edits.js'
import type { ScenarioInput } from './format/scenario.js'
import { loadScenario } from './load.js'
import { formatScenarioDocument } from './read/document.js'

const text = `scenario: desk
assume: worst-case
extend: common
identities:
  - handle: support
    threads:
      - { key: refund, messages: [{ from: Ann <ann@shop.example>, text: Where is it? }] }
    generate: { threads: 3, messages: 1 }
webhooks:
  - { url: "http://127.0.0.1:9/hook", events: [message.received] }
timeline:
  - { after: 1s, receive: { thread: refund, text: "{{lorem.words(3)}}" } }
  - { after: 1s, receive: { thread: refund, text: "{{lorem.words(3)}}" } }
  - { key: begun, after: 3s, receive: { to: support, thread: order, subject: Order, text: Hi } }
  - { when: { request: threads.list }, receive: { thread: refund, text: "{{person.fullName}}" } }
expect:
  - { request: threads.list, after: begun, at_least: 1 }
`
const desk = parse(text) as ScenarioInput

const edits = {
  names: (document: ScenarioInput): ScenarioInput => ({ ...document, timeline: namedTimeline(document) }),
  entries: (document: ScenarioInput): ScenarioInput =>
    addEntries(document, [
      { key: 'more', after: '4s', receive: { thread: 'order', text: 'More for {{person.fullName}}' } },
    ]),
  fault: (document: ScenarioInput): ScenarioInput =>
    addFault(document, 'busy', { after: '1s' }, { operation: 'threads.list', status: 503, times: 1 }),
  restart: (document: ScenarioInput): ScenarioInput =>
    addRestart(document, 'killed', { when: { request: 'threads.list', nth: 2 } }),
  moves: (document: ScenarioInput): ScenarioInput =>
    moveEntries(
      document,
      new Map([
        ['1s receive', { after: '5s' }],
        ['1s receive#2', { when: { request: 'threads.list', nth: 2 } }],
        ['begun', { event_delay: '9s' }],
      ]),
    ),
  form: (document: ScenarioInput): ScenarioInput => writeMailAs(document, 'html-only'),
  assumptions: async (document: ScenarioInput): Promise<ScenarioInput> =>
    setAssumptions(resolveAssumptions(document, await loadScenario(document)), {
      'threads.total': 'page-size',
    }),
}

/** Plays the story of a scenario without an agent; returns the digest of its world, and its messages. */
async function played(scenario: string | ScenarioInput) {
  const story = await loadScenario(scenario)
  const simulator = await openSimulator({ initialState: story })
  await simulator.clock.advance('1m')
  const messages = [...simulator.store.all('message')].map(({ id, text: words }) => [id, words])
  return { digest: simulator.digest(), messages, story }
}

describe('an edited document', () => {
  it.each(Object.entries(edits))('with other %s, written as a file, plays the same', async (_, edit) => {
    const edited = await edit(desk)
    const written = await formatScenarioDocument(edited, 'Edited.')
    const folder = await folderOf({ 'edited.yaml': written })
    const [object, file] = [await played(edited), await played(`${folder}/edited.yaml`)]
    expect(file.digest).toBe(object.digest)
    expect(file.story.assumptions).toEqual(object.story.assumptions)
  })

  it.each(Object.entries(edits).filter(([name]) => name !== 'form'))(
    'with other %s keeps the ids and words of what it had',
    async (_, edit) => {
      const [before, after] = [await played(desk), await played(await edit(desk))]
      // Mail that was moved to a request comes only with that.
      const missing = before.messages.filter((one) => !after.messages.some(([id]) => id === one[0]))
      expect(missing.length).toBeLessThanOrEqual(1)
      expect(after.messages).toEqual(
        expect.arrayContaining(before.messages.filter((one) => !missing.includes(one))),
      )
    },
  )

  it('plays as before if only names were written', async () => {
    const named = edits.names(desk)
    expect((await played(named)).digest).toBe((await played(desk)).digest)
  })
})
