import { describe, expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
import { serveDesk } from './desk.js'

const ones = (count: number): string => Array(count).fill(1).join(',')
const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')

describe('a body of the control API', () => {
  it('is refused with the first problems in short lines', async () => {
    const server = await serveDesk()
    const bodies = [`{"to":[${ones(5_000)}]}`, `{${keys(900)}}`, `{"${'k'.repeat(50_000)}":1}`]
    for (const body of bodies) {
      const message = await refusal(server, 'POST', '/messages', { body })
      expect(message).toMatch(/^400 invalid_body/)
      expect(message.length).toBeLessThan(4_000)
    }
    const many = await refusal(server, 'PATCH', '/assumptions', { body: bodies[1] as string })
    expect(many).toContain('and 880 more')
    const long = { assume: { ['threads'.repeat(4_000)]: 'x' } }
    expect(await refusal(server, 'POST', '/worlds', { body: long })).toMatch(/^400 unknown_gap/)
  })

  it('is refused with more addresses than a mail can have', async () => {
    const server = await serveDesk()
    const many = 'a@b.example, '.repeat(10_001)
    const message = await refusal(server, 'POST', '/messages', { body: { to: 'support', from: many } })
    expect(message).toMatch(/^400 invalid_body: from: .{0,300}is not of the form "Ann <ann@example.com>"\.$/)
    expect(await refusal(server, 'POST', '/messages', { body: { to: many } })).toMatch(/^400 invalid_body: /)
  })
})

describe('a mail beyond a limit', () => {
  it('is refused and adds nothing, unlike a mail at the limit', async () => {
    const server = await serveDesk()
    const mail = (head: string, body = '') =>
      `From: a@b.example\nTo: support@agents.example\n${head}\n${body}`
    const parts = (count: number) =>
      mail('Content-Type: multipart/mixed; boundary=b\n', '--b\n\nx\n'.repeat(count))
    const shapes: [(count: number) => string, limit: number, what: string][] = [
      [parts, 499, 'it has more than 500 parts'],
      [(count) => mail('X: y\n'.repeat(count)), 1_998, 'it has more than 2,000 header fields'],
      [(count) => mail(`Cc: ${'a@b.example,'.repeat(count)}\n`), 2_000, 'it names more than 2,000 addresses'],
    ]
    const headers = { 'content-type': 'message/rfc822' }
    const path = '/messages?to=support'
    for (const [shape, limit, what] of shapes) {
      expect((await ask(server, 'POST', path, { body: shape(limit), headers })).status, what).toBe(201)
      const before = server.simulator.digest()
      const message = await refusal(server, 'POST', path, { body: shape(limit + 1), headers })
      expect(message).toBe(`413 content_too_large: The message cannot be read: ${what}.`)
      expect(server.simulator.digest()).toBe(before)
    }
  })
})
