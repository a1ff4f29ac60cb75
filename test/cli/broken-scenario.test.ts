import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { programInProcess } from './in-process.js'

const start = programInProcess()

const folder = relative('.', fileURLToPath(new URL('../fixtures/broken-scenarios', import.meta.url)))

describe('a broken scenario', () => {
  it.each(['first-attempt.yaml', 'missing-quote.yaml', 'timeline-threads.yaml', 'json-values.json'])(
    '%s ends the program with status 2, with every problem on stderr and nothing else',
    async (file) => {
      const { status, stdout, stderr } = await start('--port', '0', `${folder}/${file}`).outcome
      const told = readFileSync(`${folder}/${file.replace(/\.\w+$/, '.txt')}`, 'utf8')
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toBe(told.replace(/^(?=.)/gm, `${folder}/`))
    },
  )
})
