import { parse } from 'yaml'
import type { ScenarioInput } from '../../src/story/format/scenario.js'

/** A valid scenario with nearly every key. */
export const wholeFormat: ScenarioInput = parse(`
scenario: whole-format
describe: Everything a scenario may say.
seed: 7
start: 2026-01-05T09:00:00Z
locale: en
assume: { threads.total: page-size }
organization: { name: "{{company.name}}", api_keys: [first-key] }
identities:
  - handle: support
    display_name: Support of {{company.name}}
    description: Answers customers
    mailbox_address: support@oakline.example
    created_at: -90d
    locale: en
    threads:
      - key: refund
        subject: Refund for order {{string.numeric(6)}}
        unread: true
        messages:
          - key: question
            direction: inbound
            at: -2d
            from: "{{person.fullName}} <ann@mailbox.example>"
            to: [support@oakline.example]
            subject: Refund
            text: Where is my money?
            html: <p>Where is my money?</p>
            attachments: [invoice.pdf, { filename: note.txt, content_type: text/plain, text: A note }]
          - { key: answer, direction: outbound, at: -1d, text: On its way. }
    generate: { threads: 3, messages: [1, 2], over: 30d, unread: 0.5, attachments: 0.1, kinds: { support: 3, spam: 1 } }
  - { handle: sales }
webhooks:
  - url: http://127.0.0.1:8787/hook
    events: [message.received, message.bounced]
    agent_handle: support
    auth_token: hook-secret
    created_at: -30d
organizations:
  - { name: Another, api_keys: [second-key], identities: [{ handle: billing }], webhooks: [] }
bounces: ["*@invalid.example", gone@mailbox.example]
timeline:
  - key: reminder
    describe: The customer asks again.
    after: 30s
    receive: { to: support, thread: refund, from: Ann <ann@mailbox.example>, text: Any news? }
  - { after: 40s, send: { from: support, thread: refund, key: promise, text: Tomorrow. } }
  - { after: 1m, read: { thread: refund, identity: support } }
  - { after: 2m, unread: { thread: refund } }
  - { at: 2026-01-05T09:03:00Z, update: { identity: sales, display_name: Busy, description: Away } }
  - { after: 4m, deliver: { thread: refund, message: promise, recipient: ann@mailbox.example } }
  - after: 5m
    repeat: { times: 2, every: 10s }
    bounce: { thread: refund, recipient: [ann@mailbox.example, Ben <ben@mailbox.example>] }
  - after: 6m
    repeat: { times: 3, every: 10s }
    fault: { operation: threads.list, method: GET, status: 503, delay: [1s, 2s], probability: 0.5 }
  - { after: 7m, clear_faults: true }
  - { after: 7m, approve: drafts }
  - { after: 7m, reject: { of: drafts, reason: Too long. } }
  - { after: 8m, assume: { threads.order: created-asc } }
expect:
  - { key: busy, describe: Sales is busy., identity: sales, has: { display_name: Busy } }
  - { thread: refund, identity: support, has: { unread: false, message_count: { at_least: 3 } } }
  - { message: question, thread: refund, has: { text: { contains: money } } }
  - { request: threads.list, where: { query: { agent: support, limit: 50 }, status: 200 }, at_least: 1, after: reminder, within: 10m }
  - { delivery: message.received, status: succeeded, times: 1 }
  - { errors: none, except: [404] }
`)
