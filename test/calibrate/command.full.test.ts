import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { type RunningServer, startServer } from '../../src/doors/server/start-server.js'
import { type RunningProgram, useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { expectShown } from '../support/shown-output.js'
import { mailboxOf } from './instance.js'

const start = useProgram().with({ MAIL_KEY: 'rich-key' })

async function serve(assumptions: string | Record<string, string>): Promise<RunningServer> {
  const scenario = mailboxOf(20) as never
  const server = await startServer({
    port: 0,
    scenario,
    assume: assumptions,
    onUndocumented: () => undefined,
  })
  onTestFinished(() => server.close())
  return server
}

const asking = ({ url }: RunningServer, rate = 1000): string[] => {
  return ['--base-url', url, '--api-key-env', 'MAIL_KEY', '--rate', String(rate)]
}

/** Waits until the error stream has a match. */
async function said({ process: { stderr } }: RunningProgram, pattern: RegExp): Promise<RegExpExecArray> {
  let text = ''
  for await (const chunk of stderr ?? []) {
    text += chunk
    const match = pattern.exec(text)
    if (match) return match
  }
  throw new Error(`It did not say ${pattern}: ${text}`)
}

describe('the command calibrate', () => {
  it('resumes after Ctrl-C without repeating requests', async () => {
    const server = await serve('seed:3')
    const file = await useFolder()
    const out = file('live.yaml')
    const first = start('calibrate', ...asking(server, 20), '--out', out, '--verbose')
    // Answers to #5 and before are there.
    await said(first, /#5 GET/)
    first.process.kill('SIGINT')
    const interrupted = await first.outcome
    expect(interrupted.status).toBe(1)
    expect(interrupted.stdout).toContain('It was interrupted.')
    expect((await stat(`${out}.run.json`)).mode & 0o777).toBe(0o600)
    const { status } = await start('calibrate', ...asking(server), '--out', out, '--resume').outcome
    expect(status).toBe(0)
    await expect(stat(`${out}.run.json`)).rejects.toThrow('ENOENT')
    const { assumptions: learned } = parse(await readFile(out, 'utf8')) as {
      assumptions: Record<string, unknown>
    }
    expect(Object.keys(learned).length).toBeGreaterThan(30)
    const names = Object.fromEntries(
      Object.entries(learned).map(([gap, assumption]) => [gap, String(assumption)]),
    )
    expect(server.simulator.assumptions.current()).toMatchObject(names)
    const asked = server.simulator.journal
      .exchanges()
      .map(({ path, query }) => `${path} ${JSON.stringify(query)}`)
    // Once with the key, and once without.
    expect(asked.filter((request) => request === '/api/v1/webhooks {}')).toHaveLength(2)
  })

  it('prints the JSON that the page shows', async () => {
    const server = await startServer({ port: 0, assume: 'seed:3', onUndocumented: () => undefined })
    onTestFinished(() => server.close())
    const { status, stdout } = await start('calibrate', ...asking(server), '--reporter', 'json').outcome
    expect(status).toBe(0)
    expectShown('docs/live-service.md', '{', stdout)
  })

  it('reports in CI only changes of the service', async () => {
    const server = await serve({ 'threads.total': 'page-size', 'messages.order': 'unspecified' })
    const file = await useFolder()
    const live = file('live.yaml')
    const calibrate = (...flags: string[]) => start('calibrate', ...asking(server), ...flags).outcome
    expect((await calibrate('--out', live)).status).toBe(0)
    const news = { to: 'support', from: 'Ann <ann@example.com>', subject: 'News', text: 'News.' }
    await server.simulator.mail.receive(news)
    const unchanged = await calibrate('--check', live)
    expect(unchanged).toMatchObject({ status: 0, stderr: '' })
    expect(unchanged.stdout).toContain('nothing contradicts the file')
    const { 'format.cors': cors } = server.simulator.assumptions.current()
    const other = cors === 'none' ? 'permissive' : 'none'
    server.simulator.assumptions.set({ 'format.cors': other })
    const changed = await calibrate('--check', live)
    expect(changed.status).toBe(1)
    expect(changed.stdout).toContain(`format.cors was ${cors}, and is ${other}`)
  })

  it('restores an identity after an interruption during an update', async () => {
    const server = await serve({ 'identities.patch-null': 'empty-string' })
    const { simulator } = server
    simulator.faults.add({ operation: 'identities.update', after: 5, delay: '1s' })
    const writing = ['--allow-writes', '--agent', 'support', '--verbose']
    const program = start('calibrate', ...asking(server), ...writing)
    const description = () =>
      (simulator.identities.get('support') as { description?: string } | undefined)?.description
    await vi.waitFor(() => expect(description()).toBe(''), { timeout: 30_000, interval: 5 })
    program.process.kill('SIGINT')
    expect((await program.outcome).status).toBe(1)
    expect(simulator.identities.get('support')).toMatchObject({
      display_name: 'Support',
      description: 'Answers customers',
    })
  })
})
