import { expect, it } from 'vitest'
import { replay } from '../../src/runs/replay/replay.js'
import { story } from '../replay/story.js'
import { agentNode } from './fake-play.js'

it('shows an agent the date of the story, from its first line and in later processes', async () => {
  const show = 'console.log(new Date().toISOString().slice(0, 16))'
  // The report has the output of commands that fail.
  const script = `process.exitCode = 3; ${show}; setTimeout(() => { ${show}; require('child_process').execFileSync(process.execPath, ['-e', '${show}'], { stdio: 'inherit' }) }, 3_600_000)`
  const { command } = await replay({
    scenario: story(),
    agentTime: 'story',
    command: [agentNode, '-e', script],
  })
  const dates = ['2026-01-05T09:00', '2026-01-05T10:00', '2026-01-05T10:00']
  expect(command).toMatchObject({ status: 3, output: dates.join('\n') })
})
