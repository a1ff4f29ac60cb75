import { defineScenario } from 'agent-mailbox-sim'

/** The bearer key of the organization whose answers are checked. */
export const key = 'key-orchard'

/** Every field that an answer may leave out, empty or null, in a mailbox small enough to be listed whole. */
export const openApiScenario = defineScenario({
  scenario: 'openapi',
  seed: 5,
  start: '2026-04-01T08:00:00.500Z',
  organization: { name: 'Orchard', api_keys: [key] },
  identities: [
    {
      handle: 'ida',
      display_name: 'Ida',
      mailbox_address: 'Ida.Ek@orchard.example',
      threads: [
        {
          key: 'pears',
          subject: 'Pears',
          messages: [
            { from: 'Per Å <per@shop.example>', at: '-2d', text: 'How many pears?' },
            { direction: 'outbound', at: '-1d', text: 'Forty.', html: '<p>Forty.</p>' },
          ],
        },
        {
          key: 'offer',
          subject: 'Offer',
          messages: [
            {
              from: 'solo@shop.example',
              at: '-3h',
              html: '<h1>Offer</h1><img src="cid:pear">',
              attachments: [
                { filename: "Größe (1)'s.png", content_id: 'pear', content: 'iVBORw0KGgo=' },
                { filename: 'terms', text: 'None.' },
              ],
            },
          ],
        },
      ],
    },
    { handle: 'night', display_name: '', mailbox_address: 'night@orchard.example' },
  ],
  webhooks: [
    { url: 'http://127.0.0.1:8787/hook?of=ida', events: ['message.received'], agent_handle: 'ida' },
    { url: 'https://hooks.example/all', events: ['message.delivered', 'message.bounced'] },
    {
      url: 'https://hooks.example/token',
      events: ['message.received'],
      agent_handle: 'ida',
      auth_token: 's3cret',
    },
  ],
  organizations: [{ api_keys: ['key-rival'], identities: [{ handle: 'rival' }] }],
})

/** Mail with a repeated header field. */
export const eml = [
  'Received: from mx1.shop.example',
  'Received: from mx2.shop.example',
  'From: "Ek, Per" <per@shop.example>',
  'To: Ida <Ida.Ek@orchard.example>, someone@shop.example',
  'Subject: Plums',
  '',
  'And plums?',
  '',
].join('\r\n')
