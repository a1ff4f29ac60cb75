import {
  createSimulator,
  defineExtension,
  type ScenarioInput,
  type SimulatorOptions,
} from 'agent-mailbox-sim'
import { beforeEach, expect, it, onTestFinished } from 'vitest'

const desk: ScenarioInput = { scenario: 'desk', identities: [{ handle: 'support' }] }

/** A scenario whose only mail is a message with some further fields. */
const withMail = (message: object): SimulatorOptions => ({
  scenario: {
    scenario: 'desk',
    identities: [{ handle: 'support', threads: [{ messages: [{ from: 'ann@example.com', ...message }] }] }],
  } as ScenarioInput,
})

beforeEach(() => {
  const { getBuiltinModule } = process
  // As in a browser.
  Object.assign(process, { getBuiltinModule: undefined })
  onTestFinished(() => void Object.assign(process, { getBuiltinModule }))
})

it('loads a scenario that names no files', async () => {
  const attachments = [{ filename: 'a.bin', content: 'AAEC' }, { text: 'note' }, 'invoice.pdf']
  const eml = 'From: bob@example.com\nTo: support@example.com\nSubject: Hi\n\nHello.\n'
  const extension = defineExtension(({ operation }) => [
    operation({ id: 'ping.get', method: 'GET', path: '/api/v1/ping', perform: () => ({ pong: true }) }),
  ])
  const simulator = await createSimulator({
    scenario: {
      scenario: 'desk',
      identities: [
        {
          handle: 'support',
          generate: { threads: 5, attachments: 1 },
          threads: [
            { messages: [{ from: 'ann@example.com', text: 'See below.', attachments }] },
            { messages: [{ eml }] },
          ],
        },
      ],
    },
    extend: [extension],
    assume: 'worst-case',
  })
  const subjects = simulator.threads.list().map(({ subject }) => subject)
  expect(subjects).toHaveLength(7)
  expect(subjects).toContain('Hi')
  simulator.close()
})

it.each<[string, SimulatorOptions, string]>([
  ['a shipped scenario', {}, 'scenarios/support-desk.yaml: it'],
  ['a path', { scenario: './desk.yaml' }, './desk.yaml: it'],
  ['a mail', withMail({ eml: './a.eml' }), 'desk: identities[0].threads[0].messages[0].eml: "./a.eml"'],
  [
    'an attachment',
    withMail({ attachments: ['./a.pdf'] }),
    'desk: identities[0].threads[0].messages[0].attachments[0]: "./a.pdf"',
  ],
  [
    'a folder',
    { scenario: { ...desk, identities: [{ handle: 'a', maildir: './mail' }] } },
    'desk: identities[0].maildir: "./mail"',
  ],
  ['an extension', { scenario: desk, extend: ['./ops.ts'] }, './ops.ts: it'],
  ['an extension of the scenario', { scenario: { ...desk, extend: 'common' } }, 'desk: extend: "common": it'],
  [
    'assumptions',
    { scenario: desk, assume: './live.yaml' },
    'options: The file of assumptions "./live.yaml"',
  ],
])('says what %s needs', async (_, options, start) => {
  await expect(createSimulator(options)).rejects.toThrow(
    `${start} cannot be read, since this runtime has no files: give`,
  )
})
