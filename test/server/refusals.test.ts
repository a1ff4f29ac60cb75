import { expect, it } from 'vitest'
import { ask } from './control-client.js'
import { serveDesk } from './desk.js'

const mail = 'content-type: message/rfc822'

/** Requests that the control API refuses, one in each line, by its family. */
const refused: Readonly<Record<string, string>> = {
  deliveries: `
    GET /deliveries?event=message.read
    GET /deliveries?status=sent
    GET /deliveries?limit=0
    GET /deliveries?since=dlv_none
    GET /deliveries?agent=support
    GET /deliveries/dlv_none
    POST /deliveries/dlv_none/redeliver
  `,
  faults: `
    POST /faults {}
    POST /faults {"status": 503, "operation": "threads.lst"}
    POST /faults {"status": 99}
    POST /faults {"status": 503, "times": 0}
    POST /faults {"status": 503, "handel": "support"}
    POST /faults {"delay": "long"}
    POST /faults {"reset": true, "status": 503}
    POST /faults {"status": 503, "handle": "nobody"}
    POST /faults {"body": "x", "malformed": true}
    POST /faults {"statsu": 500}
    POST /faults {"status": 600}
    DELETE /faults/fault_2
  `,
  journal: `
    GET /journal?operation=webhooks
    GET /journal?operation=threads.lst
    GET /journal?since=-1
    GET /journal?since=
    GET /journal?since=1e3
    GET /journal?limit=0
    GET /journal?limit=1.5
    GET /journal?Limit=1
    GET /journal/commands?operation=webhooks.list
    GET /events?types=exchnage
    GET /events?types=mail
    GET /events?after=-1
    GET /events | last-event-id: x
  `,
  messages: `
    POST /messages {}
    POST /messages {"to": []}
    POST /messages {"to": "support", "subjct": "Hi"}
    POST /messages {"to": "support", "text": 5}
    POST /messages {"to": "nobody"}
    POST /messages {"to": "ann@example.com"}
    POST /messages {"to": "support", "from": "Ann"}
    POST /messages {"to": "support", "sender": "a@b.example"}
    POST /messages {"to": "support", "thread_id": "thrd_x"}
    POST /messages {"to": "support", "at": "yesterday"}
    POST /messages {"to": "support", "attachments": [{"filename": "a", "content": "no base64"}]}
    POST /messages {"to": "support", "attachments": [{"filename": "a", "content": "YQ==", "text": "a"}]}
    POST /messages {"to": "support", "attachments": [{"filename": "a", "content": "YQ==", "path": "/etc/passwd"}]}
    POST /messages {"to": "support", "attachments": [{"filename": "a", "file": "/etc/passwd"}]}
    POST /messages {"to": "support", "direction": "sideways"}
    POST /messages {"direction": "outbound", "to": "ann@example.com"}
    POST /messages {"direction": "outbound", "from": "nobody", "to": "ann@example.com"}
    POST /messages {"direction": "outbound", "from": "support", "to": "x"}
    POST /messages | ${mail}
    POST /messages no mail | ${mail}
    POST /messages From: a@b.example↵To: c@d.example↵↵x | ${mail}
    POST /messages?to=nobody From: a@b.example↵↵x | ${mail}
    POST /messages?to= From: a@b.example↵↵x | ${mail}
    POST /messages/msg_none/bounced
    POST /messages/msg_none/bounced {"recipient": ""}
    POST /messages/msg_none/bounced {"to": "ann@mail.example"}
    GET /messages/msg_none/raw
    GET /messages/thrd_none/raw
    GET /threads?agent=nobody
    GET /threads?limit=1001
    GET /threads/msg_none
    GET /attachments/att_none
    POST /threads/%2E%2E%2Fx/unread
    POST /threads/%ff/unread
  `,
  assumptions: `
    PATCH /assumptions {"threads.totl": "page-size"}
    PATCH /assumptions {"threads.total": "all-thread"}
    PATCH /assumptions {"threads.unscoped": "empty", "weather": "fine"}
    PATCH /assumptions {"__proto__": "empty"}
    PATCH /assumptions {"constructor": "empty"}
    PATCH /assumptions {"auth.missing-status": 403}
    PATCH /assumptions {"threads.unscoped": "empty", "threads.total": null}
    PATCH /assumptions {"assumptions": {"threads.total": "page-size"}}
    PATCH /assumptions {"assumptions": "worst-case"}
    PATCH /assumptions []
    PATCH /assumptions "worst-case"
    PATCH /assumptions null
  `,
  routes: `
    GET /assumption?x=1
    GET /nothing-of-the-kind
    GET /%zz
    GET /Health
    GET /health/
    POST /health
    PUT /assumptions {}
  `,
  identities: `
    POST /identities {"handle": "support"}
    POST /identities {"handle": "eva", "mailbox_address": "Support@agents.example"}
    POST /identities {"handle": "eva", "mailbox_address": "eva"}
    POST /identities {"handle": "@eva"}
    POST /identities {"handle": ""}
    POST /identities {"handle": ".."}
    POST /identities {}
    POST /identities {"handle": "eva", "agent_handle": "eva"}
    POST /identities {"handle": "eva", "organization_id": "org_1"}
    DELETE /identities/suport
  `,
  webhooks: `
    POST /webhooks {"url": "ftp://x.example", "events": ["message.received"]}
    POST /webhooks {"url": "hook", "events": ["message.received"]}
    POST /webhooks {"url": "http://127.0.0.1:8787/hook", "events": []}
    POST /webhooks {"url": "http://127.0.0.1:8787/hook", "events": ["message.recieved"]}
    POST /webhooks {"url": "http://127.0.0.1:8787/hook"}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "agent_handle": "nobody"}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "token": "x"}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "auth_token": ""}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "auth_token": "bad token"}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "auth_token": "bad\\u0000token"}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "auth_token": "bad\\r\\nx-evil: 1"}
    POST /webhooks {"url": "http://a.test/", "events": ["message.received"], "auth_token": "bäd"}
    DELETE /webhooks/whk_none
  `,
  clock: `
    POST /clock {}
    POST /clock {"advance": "5m", "mode": "real"}
    POST /clock {"advance": "5m", "to": "2026-01-06"}
    POST /clock {"advance": 5}
    POST /clock {"advance": "5 minutes"}
    POST /clock {"advance": "-5m"}
    POST /clock {"advance": "9999999w"}
    POST /clock {"to": "2026-01-05T08:59:59Z"}
    POST /clock {"to": "tomorrow"}
    POST /clock {"mode": "fast"}
    POST /clock {"mode": "-1x"}
    POST /clock {"advnce": "5m"}
  `,
  worlds: `
    POST /worlds {"scenario": "refund-requst"}
    POST /worlds {"scenario": 7}
    POST /worlds {"scenario": []}
    POST /worlds {"scenario": {"scenario": "x", "sead": 1}}
    POST /worlds {"scenario": {}}
    POST /worlds {"seed": -1}
    POST /worlds {"seed": 1.5}
    POST /worlds {"seed": "7"}
    POST /worlds {"assume": "worst"}
    POST /worlds {"assume": "threads.totl=page-size"}
    POST /worlds {"assume": {"threads.total": "page"}}
    POST /worlds {"assume": {"threads.total": 7}}
    POST /worlds {"clock": "fast"}
    POST /worlds {"clock": "0x", "scenario": "empty"}
    POST /worlds {"sead": 7}
    POST /worlds {"at": 9}
    POST /worlds {"at": 0, "seed": 2}
    DELETE /worlds/world_1
    GET /worlds/world_2
    DELETE /worlds/world_2
    GET /world | x-sim-world: world_2
    POST /reset | x-sim-world: world_2
    GET /world?digest=yes
    PUT /snapshot null
    PUT /snapshot {"format": "agent-mailbox-sim/snapshot"}
  `,
}

it.each(Object.entries(refused))('the control API refuses, and changes nothing: %s', async (_, text) => {
  const server = await serveDesk()
  const { simulator } = server
  const state = () => ({
    worlds: simulator.worlds().map(({ id }) => id),
    digest: simulator.digest(),
    commands: simulator.journal.commands(),
    faults: simulator.faults.list(),
    clock: [simulator.clock.now(), simulator.clock.mode, simulator.timeline.left],
    assumptions: simulator.assumptions.current(),
  })
  const before = state()
  const lines: string[] = []
  for (const line of text.trim().split(/\n\s*/)) {
    const [request = '', ...fields] = line.split(' | ')
    const [, method = '', path = '', body] = /^(\S+) (\S+)(?: (.*))?$/.exec(request) ?? []
    const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]))
    const sent = body === undefined ? { headers } : { headers, body: body.replaceAll('↵', '\r\n') }
    const { status, body: answer } = await ask(server, method, path, sent)
    expect(status).toBeGreaterThanOrEqual(400)
    lines.push(line, `  ${status} ${answer.error.code}: ${answer.error.message}`)
  }
  expect(`\n${lines.join('\n')}\n`).toMatchSnapshot()
  expect(state()).toEqual(before)
  // The next one is the first.
  expect(simulator.faults.add({ status: 500 }).id).toBe('fault_1')
})
