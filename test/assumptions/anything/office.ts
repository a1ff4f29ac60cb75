import { defineScenario, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'

/** Keys of the first organization and of the other. */
export const keys = { own: 'office-key', ownSecond: 'office-key-2', other: 'rival-key' } as const

const from = 'Ann <ann@shop.example>'

/** An office with a little mail of every kind, small enough for a hundred replays of a request. */
export const office = defineScenario({
  scenario: 'office',
  seed: 5,
  organization: { api_keys: [keys.own, keys.ownSecond] },
  identities: [
    {
      handle: 'eva',
      mailbox_address: 'Eva@office.example',
      threads: [
        {
          subject: 'Answered',
          messages: [
            { from, at: '-9d', text: 'May I?' },
            { direction: 'outbound', at: '-8d', text: 'You may.' },
          ],
        },
        { subject: 'Markup', messages: [{ from, at: '-7d', html: '<p>Look</p>' }] },
        {
          subject: 'Files',
          unread: false,
          messages: [
            {
              from,
              at: '-12d',
              text: 'Two files',
              html: '<p>Two files</p>',
              attachments: [
                { filename: 'a.txt', text: 'first' },
                { filename: 'b c.txt', text: 'second' },
              ],
            },
            { from, at: '-1d', text: 'Did they arrive?' },
          ],
        },
      ],
    },
    {
      handle: 'tom',
      mailbox_address: 'tom@office.example',
      threads: [{ subject: 'For Tom', messages: [{ from, at: '-3d', text: 'Hello Tom' }] }],
    },
    { handle: 'Night.bot', mailbox_address: 'night@office.example' },
  ],
  webhooks: [
    { url: 'https://hooks.example/eva', events: ['message.received'], agent_handle: 'eva', auth_token: 't' },
    { url: 'https://hooks.example/all', events: ['message.bounced'] },
  ],
  organizations: [
    {
      name: 'Rival',
      api_keys: [keys.other],
      identities: [
        { handle: 'rival', threads: [{ subject: 'Plans', messages: [{ from, at: '-2d', text: 'Plans' }] }] },
      ],
    },
  ],
})

/** A request, ready to be sent any number of times. */
export interface AnyRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns status, headers and all bytes of an answer as one text. */
export async function answerTo(simulator: Simulator, request: AnyRequest): Promise<string> {
  const { method, path, headers, body } = request
  // A body of bytes has no default content type.
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) }
  const sent = new Request(`${simulator.baseUrl}${path}`, { method, headers, ...bytes })
  const response = await getResponse(simulator.handlers, sent)
  if (!response) throw new Error(`No handler takes ${method} ${path}.`)
  const content = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return [response.status, ...[...response.headers].map((field) => field.join(': ')), '', content].join('\n')
}

/** A GET of the first organization. */
export function get(path: string, key: string = keys.own): AnyRequest {
  return { method: 'GET', path: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } }
}
