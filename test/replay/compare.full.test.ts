import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { programInProcess } from '../cli/in-process.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { story } from './story.js'

const program = useProgram()
// What writes no page needs no process.
const inProcess = programInProcess()

/** An agent that asks for its threads, and then shows that it is busy unless its trial is one of these. */
const agent = (lazyIn: string) => `
  api="$MAILBOX_BASE_URL/api/v1"; key="authorization: Bearer $MAILBOX_API_KEY"
  curl -s -H "$key" "$api/mail/threads?agent=support" > /dev/null
  case "$MAILBOX_TRIAL" in ${lazyIn}) exit;; esac
  curl -s -X PATCH -H "$key" -H 'content-type: application/json' -d '{"display_name":"Busy"}' "$api/identities/support" > /dev/null`

it('says what has changed since earlier results, and fails only where it is asked to', async () => {
  const path = await useFolder()
  const file = path('story.json')
  await writeFile(file, JSON.stringify(story()))
  const replay = (lazyIn: string, ...flags: readonly string[]) => {
    const trials = ['--trials', '5', '--jobs', '2', '--vary-seed', '--clock', 'frozen', '--seed', '30']
    return program('replay', file, ...trials, ...flags, '--', 'sh', '-c', agent(lazyIn)).outcome
  }
  await replay('none', '--out', path('main/'))
  expect((await replay('1|2|3|4|5', '--out', path('change/'))).status).toBe(1)

  const compare = (...words: readonly string[]) => program('compare', path('main/'), ...words).outcome
  const compared = await compare(path('change/'), '--out', path('comparison.json'))
  expect(compared.stdout).toMatch(/^✗ question got worse: 5 of 5 → 0 of 5\n/)
  expect(compared.stdout).toContain('Trial 1 (seed 30), the first that flipped')
  expect(compared).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(await readFile(path('comparison.json'), 'utf8'))).toMatchObject({
    ...{
      format: 'agent-mailbox-sim/comparison',
      version: 1,
      verdict: 'worse',
      worse: 5,
      better: 0,
      pairs: 5,
    },
    expectations: [
      { name: 'The agent shows that it is busy.', before: 5, after: 0 },
      { name: 'It asked for its own threads.', before: 5, after: 5 },
    ],
  })
  expect((await compare(path('change/'), '--fail-on', 'worse', '--reporter', 'junit')).status).toBe(1)
  const page = await inProcess('compare', path('main/'), path('main/'), '--out', path('comparison.html'))
    .outcome
  expect(page).toMatchObject({ status: 2, stderr: expect.stringContaining('such as comparison.md') })
  const itself = await inProcess('compare', path('main/'), path('main/'), '--fail-on', 'worse').outcome
  expect(itself).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^✓ question is equal: 5 of 5 → 5 of 5\n/),
  })

  const later = JSON.parse(await readFile(path('change/report.json'), 'utf8'))
  await writeFile(path('later.json'), JSON.stringify({ ...later, version: 2 }))
  const refused = await inProcess('compare', path('main/'), path('later.json')).outcome
  expect(refused.stderr).toMatch(/^error: \S+later\.json is no report of replay that this version reads;/)
  expect(refused.status).toBe(2)
})
