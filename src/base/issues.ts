import { z } from './schema.js'

/** One thing that is wrong with a value, as the schema library finds it. */
export type Issue = z.core.$ZodIssue

/** Stands for a message that a schema does not have; who explains the issue then composes it. */
export const unsaid = ''

/** Returns the issues of a value that its schema does not fit. Their messages are only those that the schema itself has. */
export function issuesOf(schema: z.core.$ZodType, value: unknown): Issue[] {
  return z.safeParse(schema, value, { error: () => unsaid }).error?.issues ?? []
}

/** Returns the issues of an issue: of a union, those of the alternative for values of its kind, if there is one. */
export function chosenIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const chosen = issue.errors.find((issues) => issues.length > 0 && !issues.some(isOfOtherKind))
  if (!chosen) return [issue]
  return chosen.flatMap(chosenIssues).map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

function isOfOtherKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && chosenIssues(issue)[0] === issue)
}
