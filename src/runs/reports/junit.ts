import XMLBuilder from 'fast-xml-builder'

/** A test suite. */
export interface JunitSuite {
  readonly name: string
  readonly package: string
  /** ISO 8601 UTC. */
  readonly timestamp: string
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

/** Formats suites as JUnit XML that is valid under both common schemas, Ant's and Jenkins's. */
export function formatJunit(suites: readonly JunitSuite[]): string {
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
    testsuites: { testsuite: suites.map(suiteElement) },
  }
  return `${builder.build(document).trim()}\n`
}

function suiteElement(suite: JunitSuite, index: number): object {
  const cases = withUniqueNames(suite.cases)
  const count = (is: JunitProblem['is']): string => {
    return String(cases.filter(({ problem }) => problem?.is === is).length)
  }
  return {
    '@name': inLine(suite.name),
    '@package': inLine(suite.package),
    '@id': String(index),
    '@timestamp': suite.timestamp.slice(0, 19),
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

/** Numbers cases with the same name, which CI systems would treat as one. */
function withUniqueNames(cases: readonly JunitCase[]): JunitCase[] {
  const counts = new Map<string, number>()
  return cases.map((one) => {
    const id = `${one.className} ${one.name}`
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
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
