import { MailboxStore } from '../../src/service/model/mailbox-store.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { loadScenario } from '../../src/story/load.js'

/** An identity as a scenario writes it. */
export type WrittenIdentity = NonNullable<ScenarioInput['identities']>[number]

/** A mail from Ann on a day of January 2026 (on none for ''), whose text is the local part of its Message-ID. */
export function mailText(id: string, day: string, ...lines: string[]): string {
  const from = lines.some((line) => line.startsWith('From:')) ? [] : ['From: Ann <ann@shop.example>']
  const date = day === '' ? [] : [`Date: ${day} Jan 2026 00:00:00 +0000`]
  const head = [...from, 'To: support@agents.example', `Message-ID: <${id}@x>`, ...date, ...lines]
  return [...head, '', id, ''].join('\r\n')
}

/** Loads a scenario with the agent `support` and the given fields. */
export async function loadSupport(support: Partial<WrittenIdentity>): Promise<MailboxStore> {
  const identities = [{ handle: 'support', ...support }]
  return new MailboxStore((await loadScenario({ scenario: 'mail', identities })).base)
}
