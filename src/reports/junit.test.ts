import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { formatJunit, type JunitProblem } from './junit.js'

const schema = await readFile(new URL('../../test/replay/junit.xsd', import.meta.url), 'utf8')

/** Validates documents in one run; returns the problems. */
async function problemsWith(...documents: readonly string[]): Promise<string[]> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.xml`, contents }))
  const { errors } = await validateXML({ xml, schema: [schema] })
  return errors.map(({ message }) => message)
}

function suiteWith(
  name: string,
  message: string,
  output: string,
  is: JunitProblem['is'] | null = 'failure',
): string {
  const problem = is && { is, type: 'request', message, text: message }
  return formatJunit({
    name,
    package: 'package',
    timestamp: '2026-01-05T09:00:00.000Z',
    seconds: 1,
    properties: { seed: message },
    cases: [{ name, className: 'class', seconds: 0.25, problem }],
    output,
  })
}

it('matches the schema for any content', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((any) => /\p{L}/u.test(any))
  const texts = fc.sample(fc.tuple(text, text, text), 100)
  const kinds = [null, 'failure', 'error'] as const
  const documents = texts.map(([name, message, output], index) =>
    suiteWith(name, message, output, kinds[index % 3]),
  )
  expect(await problemsWith(...documents)).toEqual([])
})

it('has a schema that rejects invalid documents', async () => {
  const broken = suiteWith('name', 'message', '').replace('timestamp="2026', 'timestamp="Monday 2026')
  expect(await problemsWith(broken)).not.toEqual([])
})

it('counts failures and errors separately', () => {
  expect(suiteWith('name', 'message', '', 'failure')).toMatch(/<testsuite [^>]*failures="1" errors="0"/)
  expect(suiteWith('name', 'message', '', 'error')).toMatch(/<testsuite [^>]*failures="0" errors="1"/)
})

it('numbers cases of the same name', () => {
  const one = { name: 'It answers.', className: 'class', seconds: 0, problem: null }
  const suite = {
    name: 'a',
    package: 'p',
    timestamp: '2026-01-05T09:00:00.000Z',
    seconds: 0,
    properties: {},
    output: '',
  }
  const names = [...formatJunit({ ...suite, cases: [one, one] }).matchAll(/<testcase name="(.*?)"/g)]
  expect(names.map(([, name]) => name)).toEqual(['It answers.', 'It answers. (2)'])
})
