import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { type RunningServer, startServer } from '../../src/doors/server/start-server.js'
import { programInProcess } from '../cli/in-process.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { mailboxOf } from './instance.js'

const start = useProgram().with({ MAIL_KEY: 'rich-key' })

async function serve(assume: string | Record<string, string>): Promise<RunningServer> {
  const scenario = mailboxOf(20) as never
  const server = await startServer({ port: 0, scenario, assume, onUndocumented: () => undefined })
  onTestFinished(() => server.close())
  return server
}

const asking = ({ url }: Pick<RunningServer, 'url'>): string[] => {
  return ['--base-url', url, '--api-key-env', 'MAIL_KEY', '--rate', '1000']
}

describe('the command calibrate', () => {
  it('writes what it learned, and reports only what changes in CI', async () => {
    const server = await serve({ 'threads.total': 'page-size', 'messages.order': 'unspecified' })
    const file = await useFolder()
    const live = file('live.yaml')
    const calibrate = (...flags: string[]) => start('calibrate', ...asking(server), ...flags).outcome
    const { status, stdout } = await calibrate('--out', live)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^40 of \d+ gaps learned with \d+ requests to http/)
    const { assume } = parse(await readFile(live, 'utf8')) as { assume: Record<string, string> }
    expect(server.simulator.assumptions.current()).toMatchObject(assume)
    expect(assume).toMatchObject({ 'threads.total': 'page-size', 'messages.order': 'unspecified' })
    const unchanged = await calibrate('--check', live)
    expect(unchanged).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Nothing contradicts the file.'),
    })
    server.simulator.assumptions.set({ 'format.cors': 'permissive' })
    const changed = await calibrate('--check', live)
    expect(changed).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/✗ format\.cors +was none: .*\n[\s\S]*✓ format\.cors +permissive/),
    })
  })

  it('sends over HTTP what --dry-run lists', async () => {
    const server = await serve({})
    const { stdout } = await start('calibrate', ...asking(server), '--dry-run', '--agent', 'support').outcome
    expect(server.simulator.journal.exchanges()).toEqual([])
    await start('calibrate', ...asking(server), '--agent', 'support').outcome
    const planned = stdout.replaceAll('OTHER', 'sales')
    const sent = server.simulator.journal.exchanges().map(({ method, path }) => `${method} ${path}`)
    expect(sent.length).toBeGreaterThan(40)
    expect(sent.filter((line) => !planned.includes(line) && !line.includes('/attachments/'))).toEqual([])
  })

  it.each([
    [401, 2, 'refuses the key'],
    [404, 2, 'No list of messages is at --base-url'],
    [503, 2, 'No list of messages is at --base-url'],
  ])('ends at a service that answers everything with %i', async (answer, status, message) => {
    const server = createServer((_, response) => void response.writeHead(answer).end('{}'))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const outcome = await programInProcess({ MAIL_KEY: 'k' })('calibrate', ...asking({ url })).outcome
    expect(outcome).toMatchObject({ status, stderr: expect.stringContaining(message) })
  })
})
