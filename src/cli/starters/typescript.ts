/** A first scenario in TypeScript, with comments. */
export function typescriptStarter(name: string): string {
  return `import { defineScenario } from 'agent-mailbox-sim'

// A story in three acts: how it begins, what happens over time, what must be true at the end.
export default defineScenario(({ fakerFor }) => {
  // Hangs on the seed and on this name alone: what is drawn elsewhere does not change it.
  const { string, person } = fakerFor('order')
  const order = string.numeric(6)
  const customer = person.firstName()

  return {
    scenario: '${name}',
    describe: 'A customer asks where an order is, and asks again before anybody has answered.',
    // The same number, the same mail. Times are relative to the start.
    seed: 1,
    start: '2026-01-05T09:00:00Z',
    organization: { name: '{{company.name}}', api_keys: ['test-key'] },
    identities: [
      {
        handle: 'support',
        display_name: 'Support',
        mailbox_address: 'support@agents.example',
        threads: [
          {
            key: 'order', // what the timeline and the expectations call it by
            subject: \`Where is order \${order}?\`,
            messages: [
              {
                from: \`\${customer} <customer@example.com>\`,
                at: '-2d',
                text: \`Hello,\\n\\nmy order \${order} should have been here on Friday. Where is it?\\n\\n\${customer}\`,
              },
              { direction: 'outbound', at: '-1d', text: \`Dear \${customer}, we are looking into it.\` },
            ],
          },
        ],
        // Other mail, among which the agent has to find its way.
        generate: { threads: 40, messages: [1, 5], over: '30d', unread: 0.3 },
      },
    ],
    webhooks: [
      { url: 'http://127.0.0.1:8787/hook', events: ['message.received'], agent_handle: 'support' },
    ],
    timeline: [{ after: '30s', receive: { thread: 'order', text: \`Any news about \${order}?\` } }],
    expect: [
      { thread: 'order', has: { unread: false } },
      { request: 'messages.list', at_least: 1 },
    ],
  }
})
`
}
