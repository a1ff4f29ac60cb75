import type { ScenarioInput } from '../../scenario/index.js'

/** A first scenario in JSON, which has no comments: the one in YAML, value for value. */
export function jsonStarter(name: string): string {
  const scenario: ScenarioInput = {
    scenario: name,
    describe: 'A customer asks where an order is, and asks again before anybody has answered.',
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
            key: 'order',
            subject: 'Where is order {{string.numeric(6)}}?',
            messages: [
              {
                from: 'Ann Lee <ann@example.com>',
                at: '-2d',
                text: 'Hello,\n\nmy order should have been here on Friday. Where is it?\n\nAnn\n',
              },
              { direction: 'outbound', at: '-1d', text: 'We are looking into it.' },
            ],
          },
        ],
        generate: { threads: 40, messages: [1, 5], over: '30d', unread: 0.3 },
      },
    ],
    webhooks: [{ url: 'http://127.0.0.1:8787/hook', events: ['message.received'], agent_handle: 'support' }],
    timeline: [{ after: '30s', receive: { thread: 'order', text: 'Any news?' } }],
    expect: [
      { thread: 'order', has: { unread: false } },
      { request: 'messages.list', at_least: 1 },
    ],
  }
  return `${JSON.stringify(scenario, null, 2)}\n`
}
