import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { programInProcess } from '../cli/in-process.js'
import { useFolder } from '../cli/temporary-folder.js'
import { story } from './story.js'

type EntryInput = NonNullable<ScenarioInput['timeline']>[number]

const program = programInProcess()

/** An agent that fails once a thread has an odd subject. */
const agent = `
  api="$MAILBOX_BASE_URL/api/v1/mail/threads?agent=support"; key="authorization: Bearer $MAILBOX_API_KEY"
  for turn in 1 2 3 4 5 6; do
    curl -s -H "$key" "$api" | grep -q Odd && { echo "what is this?"; exit 3; }
    curl -s -X POST -H "$key" -H 'content-type: application/json' -d '{"advance":"10s"}' "$MAILBOX_SIM_URL/clock" > /dev/null
  done`

it('says which entry a failing story needs to fail, with the smallest story', async () => {
  const path = await useFolder()
  const subjects = ['One', 'Two', 'Odd', 'Four']
  const timeline = subjects.map((subject, index): EntryInput => {
    const from = 'Bo <bo@mail.example>'
    return {
      key: subject,
      after: `${10 * (index + 1)}s` as '10s',
      receive: { to: 'support', from, subject, text: 'Hi' },
    }
  })
  await writeFile(path('story.json'), JSON.stringify(story({ timeline, expect: [] })))
  const replay = (...words: readonly string[]) =>
    program('replay', path('story.json'), '--clock', 'frozen', ...words, '--', 'sh', '-c', agent).outcome
  const { status, stdout } = await replay('--minimize', '--out', path('smallest.json'))
  expect(status).toBe(1)
  expect(stdout).toMatch(/^✗ question fails with 1 of 5 parts; it does not without the entry "Odd"\n/)
  expect(stdout).toContain('It fails for this reason: The command exited with status 3.')
  const result = JSON.parse(await readFile(path('smallest.json'), 'utf8'))
  expect(result).toMatchObject({
    ...{ format: 'agent-mailbox-sim/minimized-story', version: 1, scenario: 'question', confirmed: true },
    decisive: [{ is: 'entry', name: 'Odd' }],
  })
  await writeFile(path('smallest.yaml'), result.story)
  const again = program('replay', path('smallest.yaml'), '--clock', 'frozen', '--', 'sh', '-c', agent)
  expect((await again.outcome).stdout).toContain('exited with status 3')
  const refused = await replay('--minimize', '--trials', '3')
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--trials does not go with --minimize'),
  })
})
