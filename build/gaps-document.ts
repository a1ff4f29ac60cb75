import {
  type Assumption,
  describeAssumptions,
  everyOperation,
  evidenceNote,
  type Gap,
} from '../src/contract/gaps/gap.js'
import { type GapId, gapIds, gaps } from '../src/contract/gaps.js'
import { linkToPart } from './service-document.js'

/** The areas of the register: the prefix of the gaps' ids, and the heading. */
type Area = GapId extends infer Id ? (Id extends `${infer Start}.${string}` ? Start : never) : never

const areas: { readonly [Name in Area]: string } = {
  auth: 'Authentication',
  errors: 'Errors',
  query: 'Query parameters',
  path: 'Paths',
  identities: 'Identities',
  threads: 'Threads',
  messages: 'Messages',
  webhooks: 'Webhook subscriptions',
  events: 'Events and deliveries',
  limits: 'Limits',
  format: 'Format of responses',
}

/** Formats the register of gaps as a page of Markdown. */
export function formatGapsDocument(): string {
  const sections = Object.entries(areas).map(([area, title]) => {
    return [`## ${title}`, ...idsOf(area).map((id) => formatGap(id, gaps[id]))].join('\n\n')
  })
  return `${[introduction(), formatContents(), ...sections].join('\n\n')}\n`
}

function idsOf(area: string): GapId[] {
  return gapIds.filter((id) => id.startsWith(`${area}.`))
}

function introduction(): string {
  return `<!-- Generated from src/contract/gaps. To update it: npx vitest run test/gaps-document.test.ts -u -->

# What the interface leaves open

The [interface](service.md) of the agent mailbox service leaves ${gapIds.length} points open. Each of them is a **gap**, and each
possible answer to it is an **assumption**. The simulator settles every gap by the assumption in force, and records which gaps every
response and every delivery depends on. [assumptions.md](assumptions.md) explains how to choose assumptions and how to see what a client
depends on.

A client that follows the advice is correct under every assumption. The evidence says what comparable services do; the
interface does not promise it. ${evidenceNote};
other names are those of comparable services.

This page is generated from the register in \`src/contract/gaps\`, and a test compares the two.

## Profiles

| profile | assumptions |
|---|---|
| \`default\` | The first assumption of each gap: never more than the interface promises, and otherwise the most common behaviour. |
| \`worst-case\` | The assumption of each gap that gives a client the least. |
| \`seed:<n>\` | A random assumption of each gap, always the same for the same number, e.g. \`seed:7\`. |

A file names some gaps and extends a profile or one other file:

\`\`\`yaml
extends: worst-case
assume:
  threads.total: all-matches
\`\`\``
}

function formatContents(): string {
  const entries = Object.entries(areas).flatMap(([area, title]) => [
    `- [${title}](#${anchorOf(title)})`,
    ...idsOf(area).map((id) => `  - [${id}](#${anchorOf(id)}): ${gaps[id].question}`),
  ])
  return ['## Contents', entries.join('\n')].join('\n\n')
}

/** Returns the anchor that Markdown renderers give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
}

function formatGap(id: GapId, gap: Gap): string {
  const rows = describeAssumptions(gap).map((assumption, index) =>
    formatAssumption(assumption, index === 0, gap.worst),
  )
  const concerns =
    gap.concerns === everyOperation ? 'every operation' : gap.concerns.map((one) => `\`${one}\``).join(', ')
  return `### ${id}

${gap.question}

Left open by: ${gap.parts.map(linkToPart).join(', ')}. Concerns: ${concerns}.

| assumption | what the service does | what a client sees |
|---|---|---|
${rows.join('\n')}

**Advice:** ${gap.advice}

**Evidence:** ${capitalize(gap.evidence).replace(/\.?$/, '.')}`
}

function formatAssumption({ name, means, example }: Assumption, isDefault: boolean, worst: string): string {
  const marks = [isDefault && 'default', name === worst && 'worst case'].filter(Boolean).join(', ')
  const cells = [`\`${name}\`${marks && ` (${marks})`}`, means, `\`${example}\``]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
