import { defineExtension } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { document } from './control-client.js'
import { serveDesk } from './desk.js'

it('a page describes the service and the control API, and loads nothing', async () => {
  const sly = '<img src=https://evil.example/x onerror=alert(1)>'
  const notes = defineExtension(({ operation, z }) => [
    operation({
      id: 'notes.list',
      method: 'GET',
      path: '/v2/notes/{handle}',
      summary: `List notes ${sly}`,
      query: z.object({ since: z.string().describe(`After "${sly}"`) }),
      response: z.object({ notes: z.array(z.object({ text: z.enum([sly, 'plain']) })) }),
      perform: () => ({ notes: [] }),
    }),
  ])
  const server = await serveDesk({ extend: [notes] })
  server.simulator.assumptions.set({ 'messages.attachment-entry': 'download-url' })
  const answer = await fetch(`${server.controlUrl}/docs`, { headers: { accept: 'text/html' } })
  const page = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'unsafe-inline';/,
  )
  // Neither scripts nor anything else that a browser would fetch by itself; links lead within the server.
  expect(page).not.toMatch(
    /<(script|img|link(?! rel="icon" href="data:,">)|iframe|object|embed|form)\b|<[^>]*\s(src|on\w+)=|@import|url\(/i,
  )
  const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target)
  const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `#${id}`))
  const outside = targets.filter((target) => !ids.has(target) && target !== 'data:,')
  expect(new Set(outside)).toEqual(new Set(['openapi.json', 'control.json', './']))
  const service = await (await fetch(`${server.controlUrl}/openapi.json`)).json()
  for (const [kind, { paths }] of Object.entries({ service, control: document })) {
    for (const item of Object.values<Record<string, { operationId: string }>>(paths)) {
      for (const { operationId } of Object.values(item)) expect([...ids]).toContain(`#${kind}-${operationId}`)
    }
  }
  // Assumptions in force, fields, examples and values; what an extension wrote is text.
  for (const shown of [
    '<code>download_url</code>',
    '&quot;filename&quot;: &quot;invoice.pdf&quot;',
    'List notes &lt;img',
  ]) {
    expect(page).toContain(shown)
  }
  expect(page).toMatch(/messages\.attachment-entry<\/code>[^<]*<code>download-url<\/code>/)
  expect(page.split('id="control"', 1)[0]).not.toContain('size_bytes</code>')
})
