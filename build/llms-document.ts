/** The page for coding assistants, which the index for people does not list. */
const assistants =
  '- [For coding assistants](AGENTS.md): how to write a scenario, a test and an extension, and the traps'

/** Formats the index of the documents for language models, from docs/README.md: each page once, with a line about it. */
export function formatLlmsDocument(index: string): string {
  const listed = index
    .replace(/^# .*\n/, '')
    .replace(/\n {2}(?=\S)/g, ' ')
    .replace(/^- .*$/gm, formatEntry)
    .trim()
  const about = 'A local simulator of an agent mailbox service, to test agents that read and answer email.'
  return `# agent-mailbox-sim\n\n> ${about}\n\n${assistants}\n\n${listed}\n`
}

/** Formats a line of the index: the path from the root of the project, and no links in the text about it. */
function formatEntry(line: string): string {
  const [, title = '', path = '', about = ''] = /^- \[([^\]]+)\]\(([^)]+)\): (.+)$/.exec(line) ?? []
  const fromRoot = path.startsWith('../') ? path.slice('../'.length) : `docs/${path}`
  return `- [${title}](${fromRoot}): ${about.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')}`
}
