/** A first scenario in YAML, with comments. */
export function yamlStarter(name: string): string {
  return `# A story in three acts: how it begins, what happens over time, what must be true at the end.
scenario: ${name}
describe: A customer asks where an order is, and asks again before anybody has answered.

# Generated values hang on the seed: the same number, the same mail. Times are relative to the start.
seed: 1
start: 2026-01-05T09:00:00Z

organization:
  name: "{{company.name}}" # Faker fills in what stands in double braces
  api_keys: [test-key] # what clients send as bearer token

identities:
  - handle: support
    display_name: Support
    mailbox_address: support@agents.example
    threads:
      - key: order # what the timeline and the expectations call it by
        subject: "Where is order {{string.numeric(6)}}?"
        messages:
          - from: Ann Lee <ann@example.com>
            at: -2d
            text: |
              Hello,

              my order should have been here on Friday. Where is it?

              Ann
          - { direction: outbound, at: -1d, text: We are looking into it. }
    # Other mail, among which the agent has to find its way.
    generate: { threads: 40, messages: [1, 5], over: 30d, unread: 0.3 }

webhooks:
  - { url: "http://127.0.0.1:8787/hook", events: [message.received], agent_handle: support }

timeline:
  - { after: 30s, receive: { thread: order, text: Any news? } }

expect:
  - { thread: order, has: { unread: false } }
  - { request: messages.list, at_least: 1 }
`
}
