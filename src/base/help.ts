/** The sections of docs/troubleshooting.md that messages refer to, by the fragments of their links. */
export const helpSections = [
  'port-taken',
  'no-simulator-responds',
  'wrong-path',
  'missing-key',
  'unknown-key',
  'no-such-agent',
  'ignored-field',
  'misdirected-request',
  'control-token',
  'another-base-url',
  '401-in-a-test',
  'another-mailbox',
  'own-dispatcher',
  'nothing-could-be-judged',
] as const

/** Returns the sentence, after a space, that ends a message about the unexpected with the section that explains it. */
export function readMore(section: (typeof helpSections)[number]): string {
  return ` See docs/troubleshooting.md#${section}.`
}
