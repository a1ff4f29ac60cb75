import { readdirSync, readFileSync } from 'node:fs'
import { parse, parseDocument } from 'yaml'

const shipped = new URL('../scenarios/', import.meta.url)

/** The parsed shipped scenarios by the names of their files. */
export function shippedFiles(): [string, unknown][] {
  const files = readdirSync(shipped).filter((file) => file.endsWith('.yaml'))
  return files.map((file) => [file, parse(readFileSync(new URL(file, shipped), 'utf8'))])
}

const broken = new URL('fixtures/broken-scenarios/', import.meta.url)

/** Scenarios with mistakes that are valid YAML or JSON, by the names of their files. */
export function brokenFiles(): [string, unknown][] {
  const files = readdirSync(broken).filter((file) => /\.(yaml|json)$/.test(file))
  return files.flatMap((file): [string, unknown][] => {
    const document = parseDocument(readFileSync(new URL(file, broken), 'utf8'))
    return document.errors.length > 0 ? [] : [[file, contentOf(document)]]
  })
}

/** Parses a document; one with circular references is empty. */
function contentOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS()
  } catch {
    return null
  }
}

/** A scenario that uses every part of the format. */
export const everything: unknown = parse(`
scenario: refund-request
describe: A customer asks for a refund and follows up before the agent replies.
seed: 7
start: 2026-01-05T09:00:00Z
locale: de
assume: { threads.total: page-size, auth.missing-status: 403, identities.patch-null: null }
organization: { name: "{{company.name}}", api_keys: [test-key] }
identities:
  - handle: support
    display_name: Support
    description: Answers customers
    mailbox_address: support@agents.example
    created_at: -2w
    locale: fr
    threads:
      - key: refund
        subject: "Refund for order {{string.numeric(6)}}"
        unread: true
        messages:
          - { from: "{{person.fullName}} <{{internet.email}}>", at: -2d, text: "{{lorem.paragraph}}" }
          - { key: answer, direction: outbound, at: 2026-01-04T09:00:00+01:00, to: [ann@example.com], html: <p>Soon.</p> }
          - { eml: ../fixtures/mail/refund-reply.eml, at: -3h, attachments: [invoice.pdf, { text: Note, filename: a.txt }] }
          - { maildir: ../mail }
    maildir: [../mail, ../more]
    generate: { threads: 500, messages: [1, 8], over: 90d, unread: 0.3, attachments: 0.05, kinds: { support: 3, spam: 1 } }
  - { handle: sales, generate: { threads: 5, messages: 2, kinds: [sales] } }
webhooks:
  - { url: "http://127.0.0.1:8787/hook", events: [message.received], agent_handle: support, auth_token: secret }
organizations:
  - { api_keys: [other], identities: [{ handle: eva, maildir: ../mail }], webhooks: [] }
bounces: ["*@invalid.example", gone@example.com]
timeline:
  - { after: 30s, receive: { to: support, thread: refund, from: "Ann <ann@example.com>", text: Any news? } }
  - { key: mine, at: 2026-01-05T09:00:40Z, send: { thread: refund, text: Soon. } }
  - { after: 50s, repeat: { times: 3, every: 1s }, read: { thread: refund, identity: support } }
  - { after: 50s, unread: { thread: refund } }
  - { after: 55s, update: { identity: support, display_name: Busy } }
  - { after: 1m, fault: { operation: threads.list, status: 503, times: 2, body: { error: [1, null] } } }
  - { after: 70s, fault: { delay: [1s, 3s], probability: 0.5 } }
  - { after: 80s, clear_faults: true }
  - { after: 80s, approve: drafts }
  - { after: 80s, reject: { of: drafts, reason: Too long. } }
  - { after: 2m, deliver: { thread: refund, message: answer, recipient: "{{internet.email}}" } }
  - { after: 2m, bounce: { thread: refund } }
  - { after: 2m, repeat: { times: 3, every: 1s }, bounce: { message: mine, recipient: [ann@example.com, b@c.example] } }
  - { after: 3m, assume: { threads.total: page-size } }
expect:
  - { identity: support, has: { display_name: Busy } }
  - { thread: refund, identity: support, has: { unread: false, message_count: { at_least: 3, at_most: 5 } } }
  - { message: answer, thread: refund, has: { subject: { contains: Refund }, text: { matches: "^S" } } }
  - { thread: refund, has: { snippet: Soon. }, after: mine, within: 5m }
  - { request: messages.list, where: { query: { thread_id: { thread: refund, identity: support } } } }
  - { key: asked, request: threads.list, where: { query: { agent: support, limit: null }, status: 200 }, at_least: 1, at_most: 9 }
  - { request: identities.update, where: { path: { contains: support }, body: { description: null } }, times: 0, before: asked }
  - { delivery: message.received, status: succeeded, url: "http://127.0.0.1:8787/hook", times: 1, after: mine, within: 10m }
  - { errors: none, except: [404, 429], describe: No mistakes. }
`)
