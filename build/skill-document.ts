/** What tells an assistant when to read the skill. */
const about =
  'Writes and runs tests of software agents that read and answer email, with agent-mailbox-sim, a local simulator of an agent ' +
  'mailbox service. Covers scenarios in YAML, tests in Vitest, Jest or pytest, replays of a story, and extensions with further operations.'

/** Formats AGENTS.md as a skill: with a name and a description, and links that lead out of its folder. */
export function formatSkillDocument(page: string): string {
  const body = page.replace(/^# .*\n/, '# Test an agent that reads and answers email\n')
  const linked = body.replace(/\]\((?!https?:|#)([^)]+)\)/g, '](../../$1)')
  return `---\nname: agent-mailbox-sim\ndescription: ${about}\n---\n\n${linked}`
}
