import XMLBuilder from 'fast-xml-builder'

/** What is wrong with a test case. */
export interface JunitProblem {
  /** `failure`: it is not as it should be. `error`: that could not be found out. */
  readonly is: 'failure' | 'error'
  /** What kind of thing failed. */
  readonly type: string
  /** A line. */
  readonly message: string
  /** As much as there is to tell. */
  readonly text: string
}

/** One test case of a suite. */
export interface JunitCase {
  readonly name: string
  readonly className: string
  /** How long it took, in seconds of wall time; 0 where that means nothing. */
  readonly seconds: number
  readonly problem: JunitProblem | null
}

/** What was tested together. */
export interface JunitSuite {
  readonly name: string
  readonly package: string
  /** ISO 8601 UTC. */
  readonly timestamp: string
  readonly seconds: number
  readonly properties: Readonly<Record<string, string>>
  readonly cases: readonly JunitCase[]
  /** What programs wrote. */
  readonly output: string
}

/** Suites as JUnit XML, in the form that both common schemas take: that of Ant and that of Jenkins. */
export function formatJunitXml(suites: readonly JunitSuite[]): string {
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

function suiteElement(suite: JunitSuite, id: number): object {
  const { cases, properties } = suite
  const count = (is: JunitProblem['is']): number => cases.filter(({ problem }) => problem?.is === is).length
  return {
    '@name': inLine(suite.name),
    '@package': inLine(suite.package),
    '@id': String(id),
    '@timestamp': suite.timestamp.slice(0, 19),
    '@hostname': 'localhost',
    '@tests': String(cases.length),
    '@failures': String(count('failure')),
    '@errors': String(count('error')),
    '@skipped': '0',
    '@time': suite.seconds.toFixed(3),
    properties: {
      property: Object.entries(properties).map(([name, value]) => ({
        '@name': inLine(name),
        '@value': inLine(value),
      })),
    },
    testcase: cases.map(caseElement),
    'system-out': { '#': text(suite.output) },
    'system-err': { '#': '' },
  }
}

function caseElement({ name, className, seconds, problem }: JunitCase): object {
  const attributes = { '@name': inLine(name), '@classname': inLine(className), '@time': seconds.toFixed(3) }
  if (!problem) return attributes
  const { is, type, message } = problem
  return {
    ...attributes,
    [is]: { '@type': inLine(type), '@message': inLine(message), '#': text(problem.text) },
  }
}

/** What XML has no character for, in text that is well formed. */
const impossible = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu

function text(value: string): string {
  return value.replaceAll('\r\n', '\n').toWellFormed().replace(impossible, '')
}

/** A text for an attribute, in which XML knows no lines. */
function inLine(value: string): string {
  return text(value).replace(/\s+/g, ' ').trim()
}
