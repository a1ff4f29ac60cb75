import { createSimulator, defineExtension } from 'agent-mailbox-sim'
import { setupWorker } from 'msw/browser'

const broken = defineExtension(({ operation }) => [
  operation({
    id: 'drafts.list',
    method: 'GET',
    path: '/api/v1/drafts',
    perform() {
      throw new Error('no drafts')
    },
  }),
])
const defects: string[] = []

const simulator = await createSimulator({
  scenario: {
    scenario: 'desk',
    identities: [
      {
        handle: 'support',
        generate: { threads: 3 },
        threads: [
          {
            subject: 'Refund?',
            messages: [
              {
                from: 'Ann <ann@example.com>',
                html: '<p>See <b>below</b>.</p>',
                attachments: [{ filename: 'a.txt', content: btoa('hello') }, 'logo.png'],
              },
            ],
          },
        ],
      },
    ],
    timeline: [{ after: '1h', receive: { to: 'support', from: 'bob@example.com', subject: 'Later' } }],
  },
  extend: [broken],
  onDefect: (error) => void defects.push(String(error)),
  receiver: (request) => (request.url.endsWith('/sent') ? fetch(request) : undefined),
})

const worker = setupWorker(...simulator.handlers)
await worker.start({ quiet: true })

const { baseUrl, apiKey } = simulator
const headers = { authorization: `Bearer ${apiKey}` }
const get = (path: string, key = apiKey) => {
  return fetch(new URL(path, baseUrl), { headers: { authorization: `Bearer ${key}` } })
}

/** What the test asks the page to do; the results are plain values. */
const steps = {
  async read() {
    const { threads, total } = await (await get('/api/v1/mail/threads?agent=support&limit=1')).json()
    const { messages } = await (await get(`/api/v1/mail/messages?thread_id=${threads[0].id}`)).json()
    const files = messages[0].attachments.map(async ({ url }: { url: string }) => {
      const response = await get(url)
      return [response.headers.get('content-type'), (await response.arrayBuffer()).byteLength]
    })
    const { subject, snippet } = threads[0]
    return { total, subject, snippet, files: await Promise.all(files) }
  },

  async write() {
    const body = JSON.stringify({ display_name: 'Desk' })
    const init = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' }, body }
    const response = await fetch(`${baseUrl}/api/v1/identities/support`, init)
    return [response.status, simulator.identities.list()[0]?.display_name]
  },

  async control() {
    const fork = simulator.fork()
    await fork.clock.advance('1h')
    const { thread } = await fork.mail.receive({ to: 'support', subject: 'Now', text: 'Hello.' })
    const waiting = fork.waitFor({ operation: 'messages.list', query: { thread_id: thread.id } })
    await get(`/api/v1/mail/messages?thread_id=${thread.id}`, fork.apiKey)
    const { status } = await waiting
    fork.faults.add({ operation: 'threads.list', status: 503, times: 1 })
    fork.faults.add({ operation: 'webhooks.list', reset: true })
    const answers = await Promise.all(
      ['/api/v1/mail/threads', '/api/v1/webhooks', '/api/v1/identities/nobody'].map((path) =>
        get(path, fork.apiKey).then(
          async (response) => [response.status, await response.body?.cancel()],
          (error) => error.name,
        ),
      ),
    )
    const subjects = fork.threads.list().map(({ subject }) => subject)
    return { status, answers, subjects: subjects.slice(0, 3) }
  },

  async deliver() {
    const fork = simulator.fork()
    const received: unknown[] = []
    fork.webhooks.on('http://agent.test/here', async (request) => void received.push(await request.json()))
    const urls = ['http://agent.test/here', 'http://agent.test/nobody', `${location.origin}/sent`]
    for (const url of urls) fork.webhooks.create({ url, events: ['message.received'] })
    await fork.mail.receive({ to: 'support', text: 'Hello.' })
    await fork.waitFor({ delivery: 'message.received', url: urls[2] as string, status: 'any', attempts: 1 })
    const results = fork.deliveries.list().map(({ url, status, attempts }) => {
      return [new URL(url).pathname, [status, attempts[0]?.response?.status ?? attempts[0]?.error?.message]]
    })
    return { received: received.length, ...Object.fromEntries(results) }
  },

  async fail() {
    return [(await get('/api/v1/drafts')).status, defects]
  },

  refuse: () =>
    createSimulator({ scenario: 'support-desk' }).then(
      () => 'loaded',
      (error) => `${error.name}: ${error.message}`,
    ),
}

/** What the page can be asked to do. */
export type Step = keyof typeof steps

Object.assign(window, { steps })
