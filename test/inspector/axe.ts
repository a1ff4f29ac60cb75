import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Loads axe into a page, which must bypass its content security policy. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
}

/** Returns what axe finds on a page in a theme, a line for each rule; only contrast depends on the theme. */
export async function axeViolations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme })
  const rules = theme === 'dark' ? ", runOnly: ['color-contrast']" : ''
  const run = `axe.run({ resultTypes: ['violations']${rules} })`
  const { violations } = (await page.evaluate(run)) as { violations: readonly Violation[] }
  return violations.map(({ id, nodes: [node] }) => {
    return `${theme}: ${id}: ${node?.html.slice(0, 120)} ${node?.failureSummary}`
  })
}
