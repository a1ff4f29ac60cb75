import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { programInProcess } from './in-process.js'
import { failure } from './outcomes.js'

const golden = new URL('refusals.txt', import.meta.url)

/** Returns the words of a line, some of them quoted. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

// Each line of the file that begins with `$` is run; `-u` writes the answers below it, to be read in review.
it('explains wrong usage, mostly with status 2, in one message that names what would be right', async () => {
  const run = programInProcess({ MAILBOX_KEY: 'test-key', BROKEN_KEY: 'sk-secret\nsecond line' })
  const lines = readFileSync(golden, 'utf8').match(/^\$ .*$/gm) ?? []
  const blocks: string[] = []
  for (const line of lines) {
    const { status, stderr: answer } = await failure(run, ...wordsOf(line.slice(2)))
    expect(answer, line).not.toContain('sk-secret')
    // Only what lies outside the command line ends with status 1.
    const noted = status === 1 ? 'status 1\n' : ''
    blocks.push(`${line}\n${noted}${answer.replace(/\d+\.\d s$/m, 'TIME')}`)
  }
  expect(lines.length).toBeGreaterThan(100)
  await expect(blocks.join('\n')).toMatchFileSnapshot(golden.pathname)
})
