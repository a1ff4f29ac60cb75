import XMLBuilder from 'fast-xml-builder'
import { formatInstant } from '../../service/time/time.js'
import { wallTime } from '../../service/time/wall-time.js'

/** A test suite. */
export interface JunitSuite {
  readonly name: string
  readonly package: string
  readonly seconds: number
  readonly properties: Readonly<Record<string, string>>
  readonly cases: readonly JunitCase[]
  /** The output of the command. */
  readonly output: string
}

/** A test case. */
export interface JunitCase {
  readonly name: string
  readonly className: string
  /** Wall time in seconds; 0 if a time would be meaningless. */
  readonly seconds: number
  readonly problem: JunitProblem | null
}

/** Why a test case did not pass. */
export interface JunitProblem {
  /** `failure`: the test failed. `error`: it could not be run. */
  readonly is: 'failure' | 'error'
  readonly type: string
  /** One line. */
  readonly message: string
  /** The details. */
  readonly text: string
}

/**
 * Formats suites as JUnit XML that is valid under both common schemas, Ant's and Jenkins's. `endedMs` is when the last of them
 * ended, in wall time, since CI systems drop reports of long ago: those are the dates of stories.
 */
export function formatJunit(suites: readonly JunitSuite[], endedMs = wallTime()): string {
  const builder = new XMLBuilder({
    format: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#',
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
  })
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      testsuite: withUniqueNames(suites).map((suite, index) => suiteElement(suite, index, endedMs)),
    },
  }
  return `${builder.build(document).trim()}\n`
}

function suiteElement(suite: JunitSuite, index: number, endedMs: number): object {
  const { cases } = suite
  const count = (is: JunitProblem['is']): string => {
    return String(cases.filter(({ problem }) => problem?.is === is).length)
  }
  return {
    '@name': inLine(suite.name),
    '@package': inLine(suite.package),
    '@id': String(index),
    '@timestamp': formatInstant(endedMs - suite.seconds * 1000).slice(0, 19),
    '@hostname': 'localhost',
    '@tests': String(cases.length),
    '@failures': count('failure'),
    '@errors': count('error'),
    '@skipped': '0',
    '@time': suite.seconds.toFixed(3),
    properties: {
      property: Object.entries(suite.properties).map(([name, value]) => ({
        '@name': inLine(name),
        '@value': inLine(value),
      })),
    },
    testcase: cases.map(caseElement),
    'system-out': { '#': printable(suite.output) },
    'system-err': { '#': '' },
  }
}

function caseElement({ name, className, seconds, problem }: JunitCase): object {
  const attributes = { '@name': inLine(name), '@classname': inLine(className), '@time': seconds.toFixed(3) }
  if (!problem) return attributes
  const { is, type, message, text } = problem
  return {
    ...attributes,
    [is]: { '@type': inLine(type), '@message': inLine(message), '#': printable(text) },
  }
}

/**
 * Makes the names of cases unique in the whole report, since CI systems treat cases with one name as one: the name of the suite
 * is added to what occurs in several, and numbers to what occurs several times in one.
 */
function withUniqueNames(suites: readonly JunitSuite[]): JunitSuite[] {
  const idOf = ({ className, name }: JunitCase): string => `${className} ${name}`
  const within = new Map<string, Set<JunitSuite>>()
  for (const suite of suites) {
    for (const one of suite.cases) {
      const id = idOf(one)
      within.set(id, (within.get(id) ?? new Set()).add(suite))
    }
  }
  const counts = new Map<string, number>()
  const named = (one: JunitCase, suite: JunitSuite): JunitCase => {
    const isShared = (within.get(idOf(one))?.size ?? 0) > 1
    const name = isShared ? `${one.name} (${suite.name})` : one.name
    const id = idOf({ ...one, name })
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return { ...one, name: count === 1 ? name : `${name} (${count})` }
  }
  return suites.map((suite) => ({ ...suite, cases: suite.cases.map((one) => named(one, suite)) }))
}

/** Characters in well-formed text that XML cannot represent. */
const impossible = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu

function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').toWellFormed().replace(impossible, '')
}

/** Returns text as one line for an attribute, in which XML parsers replace line breaks. */
function inLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}
