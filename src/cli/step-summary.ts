import { appendFile } from 'node:fs/promises'

/** Appends Markdown to the file that CI systems show as the summary of a job, where they name one. */
export async function appendStepSummary(markdown: string): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (!file) return
  try {
    await appendFile(file, markdown)
  } catch (error) {
    process.stderr.write(`note: no summary was written to GITHUB_STEP_SUMMARY: ${(error as Error).message}\n`)
  }
}
