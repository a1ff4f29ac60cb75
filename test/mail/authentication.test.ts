import { expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { askHandlers } from '../support/ask-handlers.js'

const identities = [
  { handle: 'aide', mailbox_address: 'aide@corp.example' },
  { handle: 'desk', mailbox_address: 'desk@shop.example' },
]
const assumptions = { 'messages.headers': 'list' } as const
const open = (scenario: object = {}, more: object = {}) =>
  createSimulator({
    scenario: { scenario: 'trust', identities, ...scenario },
    extend: ['common'],
    assume: { ...assumptions, ...more },
  })

interface Shown {
  readonly subject: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly authentication?: object
}

async function listed(sim: Simulator, agent = 'aide'): Promise<readonly Shown[]> {
  return (await askHandlers(sim, 'GET', `/mail/messages?agent=${agent}&limit=100`)).body.messages
}

/** Returns the results of the receiving server and the names of all fields. */
function resultsIn({ headers }: Pick<Shown, 'headers'>, server = 'mx.corp.example'): string {
  const all = headers.filter(({ name }) => name === 'Authentication-Results').map(({ value }) => value)
  const [first = ''] = all
  expect(first).toMatch(new RegExp(`^${server}; `))
  expect(all.filter((value) => value.startsWith(server))).toHaveLength(1)
  return [...first.matchAll(/(\w+)=(\w+)/g)]
    .map(([, , result]) => result)
    .filter((_, index) => index < 9)
    .join(' ')
}

it('shows what fits the sender, unless the story says otherwise', async () => {
  const from = { corp: 'Boss <boss@corp.example>', ann: 'Ann <ann@mail.example>' }
  const stated =
    'Authentication-Results: mx.corp.example; spf=softfail;\n dmarc=pass header.from=corp.example\n'
  const told = (subject: string, mail: object) => ({
    after: '1s',
    receive: { to: 'aide', subject, text: 'Hi', ...mail },
  })
  const sim = await open({
    timeline: [
      told('outside', { from: from.ann }),
      told('own domain', { from: from.corp }),
      told('below it', { from: 'Lab <lab@eu.Corp.Example>' }),
      told('another agent', { from: 'Desk <desk@shop.example>' }),
      told('colleague', { from: from.corp, authentication: 'pass' }),
      told('nobody', { eml: 'From: <>\nSubject: nobody\n\nUndelivered' }),
      told('list', {
        from: from.ann,
        authentication: {
          spf: 'pass',
          dkim: 'fail',
          dmarc: 'fail',
          envelope_from: 'bounces@lists.example',
          signed_by: 'mail.example',
        },
      }),
      told('eml', { eml: `From: ${from.corp}\nSubject: eml\n\nHi` }),
      told('stated', { eml: `${stated}From: ${from.corp}\nSubject: stated\n\nHi` }),
      told('forged', {
        eml: `${stated}From: ${from.corp}\nSubject: forged\n\nHi`,
        authentication: 'fail',
      }),
    ],
  })
  await sim.clock.advance('1m')
  const found = (await listed(sim)).map((one) => {
    const value = one.headers.find(({ name }) => name === 'Authentication-Results')?.value ?? ''
    return [
      one.subject,
      [...value.matchAll(/(?:spf|dkim|dmarc)=(\w+)/g)].map(([, result]) => result).join(' '),
    ]
  })
  expect(Object.fromEntries(found)).toEqual({
    outside: 'pass pass pass',
    'own domain': 'fail none fail',
    'below it': 'fail none fail',
    'another agent': 'fail none fail',
    colleague: 'pass pass pass',
    nobody: 'none none none',
    list: 'pass fail fail',
    eml: 'fail none fail',
    stated: 'softfail none pass',
    forged: 'fail none fail',
  })
  const list = (await listed(sim)).find(({ subject }) => subject === 'list')?.headers ?? []
  expect(list[0]).toEqual({ name: 'Return-Path', value: '<bounces@lists.example>' })
  expect(list.at(2)?.value).toBe(
    'mx.corp.example; spf=pass smtp.mailfrom=bounces@lists.example; dkim=fail header.d=mail.example; dmarc=fail header.from=mail.example',
  )
})

it('removes what claims to be from the receiving server, and keeps the rest below', async () => {
  const eml = [
    'Received: from one by two',
    'Authentication-Results: MX.corp.example; dmarc=pass',
    'Authentication-Results: (a \\) comment) "mx.corp.example" 1; dmarc=pass',
    'Authentication-Results: mx.evil.example; dmarc=pass',
    'Return-Path: <>',
    'From: Boss <boss@corp.example>',
    'Subject: Key',
    '',
    'Send it.',
  ].join('\r\n')
  const sim = await open()
  await sim.mail.receive({ to: 'aide', eml })
  const [message] = await listed(sim)
  expect(message?.headers.map(({ name, value }) => `${name}: ${value.slice(0, 34)}`)).toEqual([
    'Received: from mail.corp.example by mx.corp.',
    'Authentication-Results: mx.corp.example; spf=fail smtp.hel',
    'Received: from one by two',
    'Authentication-Results: mx.evil.example; dmarc=pass',
    'Return-Path: <>',
    'From: Boss <boss@corp.example>',
    'Subject: Key',
  ])
  expect(resultsIn(message as Shown)).toContain('fail')
})

it('is a field, or nothing, by the assumption', async () => {
  const field = await open({}, { 'messages.authentication': 'field' })
  const plain = await open({}, { 'messages.authentication': 'omitted' })
  for (const sim of [field, plain]) {
    await sim.mail.receive({
      to: 'aide',
      from: 'Boss <boss@corp.example>',
      text: 'Hi',
      authentication: 'none',
    })
    await sim.mail.send({ from: 'aide', to: 'desk@shop.example', text: 'Hi' })
  }
  const [sent, received] = await listed(field)
  expect(received?.authentication).toEqual({ spf: 'none', dkim: 'none', dmarc: 'none' })
  expect(sent?.authentication).toBeUndefined()
  expect((await listed(plain)).map(({ headers, authentication }) => [headers, authentication])).toEqual([
    [sent?.headers, undefined],
    [received?.headers, undefined],
  ])
  expect(received?.headers.map(({ name }) => name)).not.toContain('Received')
})

it('passes generated mail, and what agents send each other', async () => {
  const generated = [
    { ...identities[0], generate: { threads: 20, messages: [1, 3], over: '30d' } },
    identities[1],
  ]
  const sim = await open({ identities: generated }, { 'common.local-delivery': 'delivered' })
  const body = { agent: 'desk', to: 'aide@corp.example', subject: 'Local', text: 'Hi' }
  const sending = await askHandlers(sim, 'POST', '/mail/messages', body)
  expect(sending.status).toBeLessThan(300)
  const inbound = (await listed(sim)).filter((one) => 'direction' in one && one.direction === 'inbound')
  expect(inbound.length).toBeGreaterThan(20)
  for (const message of inbound) expect(resultsIn(message)).toMatch(/pass/)
})

it.each([
  [{ authentication: 'passed' }, 'authentication'],
  [{ authentication: { dmarc: 'maybe' } }, 'dmarc'],
  [{ authentication: { dmarcs: 'pass' } }, 'dmarcs'],
])('refuses %j', async (stated, what) => {
  const sim = await open()
  await expect(sim.mail.receive({ to: 'aide', text: 'Hi', ...stated } as never)).rejects.toThrow(what)
  const timeline = [{ after: '1s', receive: { to: 'aide', text: 'Hi', ...stated } }]
  await expect(open({ timeline })).rejects.toThrow(what)
})
