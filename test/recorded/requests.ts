/** What the paths of the requests are made from. */
export interface Known {
  /** The handles and the addresses of all agents, in order. */
  readonly agents: readonly { readonly agent_handle: string; readonly mailbox_address: string }[]
  /** The ids of the newest threads of the first agents. */
  readonly threads: readonly string[]
  /** The id of the newest message of the first thread. */
  readonly message: string | undefined
}

/** A request to the service. */
export interface RecordedRequest {
  readonly method: string
  /** The path below `/api/v1`. */
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What the record calls it, where its path has ids in it. */
  readonly name?: string
}

const get = (path: string, name?: string): RecordedRequest => ({ method: 'GET', path, ...(name && { name }) })

const patch = (handle: string, body: string, headers = {}): RecordedRequest => ({
  method: 'PATCH',
  path: `/identities/${handle}`,
  body,
  headers: { 'content-type': 'application/json', ...headers },
})

/** The reads of a moment: each operation with its usual parameters. */
export function readsOf({ agents, threads, message }: Known, sends: boolean): RecordedRequest[] {
  const [first, second = first] = agents
  if (!first || !second) throw new Error('Every recorded scenario has an agent.')
  const { agent_handle: handle } = first
  const address = encodeURIComponent(first.mailbox_address)
  return [
    ...agents.slice(0, 4).map(({ agent_handle }) => get(`/identities/${agent_handle}`)),
    get(`/identities/@${handle}`),
    get('/mail/threads'),
    ...agents.slice(0, 4).map(({ agent_handle }) => get(`/mail/threads?agent=${agent_handle}&limit=100`)),
    get(`/mail/threads?agent=@${handle}`),
    get(`/mail/threads?mailbox=${address}&limit=1`),
    get(`/mail/threads?agent=${second.agent_handle}&mailbox=${address}&limit=2`),
    get('/mail/threads?limit=3&offset=2'),
    get(`/mail/threads?agent=${handle}&limit=100&offset=50`),
    get(`/mail/threads?agent=${handle}&offset=100000`),
    get('/mail/messages'),
    get(`/mail/messages?agent=${handle}`),
    get('/mail/messages?limit=1'),
    get(`/mail/messages?agent=${second.agent_handle}&limit=100&offset=1`),
    ...threads.map((id, index) => get(`/mail/messages?thread_id=${id}`, `thread ${index + 1}: its messages`)),
    ...threads
      .slice(0, 1)
      .flatMap((id) => [
        get(`/mail/messages?thread_id=${id}&limit=1`, 'thread 1: one message'),
        get(
          `/mail/messages?thread_id=${id}&agent=${second.agent_handle}`,
          'thread 1: its messages of the second agent',
        ),
      ]),
    get('/webhooks'),
    get(`/webhooks?agent_handle=${handle}`),
    get('/webhooks?event=message.received'),
    ...(sends && message ? [get(`/mail/messages/${message}`, 'newest message')] : []),
  ]
}

/** What the agent changes at a moment: its identity and, where it can send mail, its conversation. */
export function writesOf({ agents, message }: Known, moment: string, sends: boolean): RecordedRequest[] {
  const handle = agents[0]?.agent_handle ?? ''
  const update = patch(handle, JSON.stringify({ display_name: `Busy ${moment}` }))
  if (!sends || !message || moment !== 'middle') return [update]
  const post = (path: string, name: string, body: object): RecordedRequest => ({
    method: 'POST',
    path,
    name,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const text = 'What is your order number?'
  return [
    update,
    post(`/mail/messages/${message}/reply`, 'reply to the newest message', { text }),
    post('/mail/messages', 'new message', { agent: handle, to: ['zoe@example.com'], subject: 'Hello', text }),
  ]
}

/** Requests that are refused or that the interface leaves open. */
export function oddRequestsOf({ agents }: Known): RecordedRequest[] {
  const handle = agents[0]?.agent_handle ?? ''
  return [
    ...['0', '101', 'ten', '1.5', '-1', '', '5&limit=6'].map((limit) =>
      get(`/mail/threads?agent=${handle}&limit=${limit}`),
    ),
    ...['0', '1000', 'ten'].map((limit) => get(`/mail/messages?agent=${handle}&limit=${limit}`)),
    get(`/mail/threads?agent=${handle}&offset=-1`),
    get(`/mail/threads?agent=${handle}&colour=blue&limit=1`),
    get('/mail/threads?agent=nobody'),
    get('/mail/threads?mailbox=nobody@example.com'),
    get('/mail/messages?thread_id=thrd_unknown'),
    get('/webhooks?agent_handle=nobody'),
    get('/identities/nobody'),
    get('/mail/thread'),
    { method: 'DELETE', path: '/mail/threads' },
    { ...get('/webhooks', 'webhooks without a key'), headers: { authorization: '' } },
    { ...get('/mail/threads', 'threads without a key'), headers: { authorization: '' } },
    { ...get('/mail/threads', 'threads with another key'), headers: { authorization: 'Bearer other-key' } },
    { ...get('/mail/threads', 'threads with Basic'), headers: { authorization: 'Basic dGVzdA==' } },
    patch(handle, '{}'),
    patch(handle, '{"colour":"blue"}'),
    patch(handle, '{"display_name":7}'),
    patch(handle, '{"display_name":""}'),
    patch(handle, '{"agent_handle":"other"}'),
    patch(handle, '{"description"'),
    patch(handle, 'display_name=A', { 'content-type': 'application/x-www-form-urlencoded' }),
    patch(`@${handle}`, '{"description":"With an at sign"}'),
    patch('nobody', '{"description":"Nobody"}'),
  ]
}
