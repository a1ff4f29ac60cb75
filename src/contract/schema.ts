import { z } from 'zod'

/** The one door to zod; everything that describes a shape comes through here. */
export { z } from 'zod'

/** So many issues are told of, in lines of so many characters. */
const mostIssues = 20
const longestLine = 400

/** Returns what is wrong with a value, an issue and its place a line each; of many, the first ones and how many follow. */
export function explainIssues({ issues }: z.ZodError): string {
  const lines = z.prettifyError({ issues: issues.slice(0, mostIssues) }).split('\n')
  const further = issues.length - mostIssues
  if (further > 0) lines.push(`✖ and ${further} more`)
  return lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)).join('\n')
}
