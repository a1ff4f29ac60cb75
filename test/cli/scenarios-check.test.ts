import { writeFile } from 'node:fs/promises'
import { createSimulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { programInProcess } from './in-process.js'
import { output } from './outcomes.js'
import { useFolder } from './temporary-folder.js'

const start = programInProcess()

const broken = 'scenario: story\nsead: 7\nidentities:\n  - handle: "a b"\n'

describe('scenarios check', () => {
  it('summarizes shipped scenarios and files', async () => {
    const path = await useFolder()
    await writeFile(path('one.json'), '{"scenario":"one","identities":[{"handle":"eva"}]}')
    const text = await output(start, 'scenarios', 'check', 'support-desk', path('one.json'))
    const [desk, one] = text.split('\n')
    const simulator = await createSimulator({ scenario: 'support-desk' })
    const { agents, threads, webhooks } = simulator.summary()
    expect(desk).toMatch(
      new RegExp(
        `^support-desk: ${agents} agents, ${threads} threads, 1,\\d{3} messages, ${webhooks} webhooks, `,
      ),
    )
    expect(desk).toMatch(/, \d timeline entr\w+, \d expectations?; digest /)
    expect(desk).toContain(`; digest ${simulator.digest()}`)
    expect(one).toMatch(
      /one\.json: 1 agent, 0 threads, 0 messages, 0 webhooks, 0 timeline entries, 0 expectations; digest [0-9a-f]{32}$/,
    )
  })

  it('prefers the seed of the flag to that of the environment', async () => {
    const run = start.with({ MAILBOX_SIM_ASSUME: 'worst-case' })
    const lines = (
      await output(run, 'scenarios', 'check', 'empty', 'support-desk', '--seed', '3', '--json')
    ).trimEnd()
    const [, desk] = lines.split('\n').map((line) => JSON.parse(line))
    const simulator = await createSimulator({ scenario: 'support-desk', seed: 3 })
    expect(desk).toEqual({
      file: 'support-desk',
      ok: true,
      scenario: 'support-desk',
      seed: 3,
      ...simulator.summary(),
      timeline: expect.any(Number),
      expect: expect.any(Number),
      digest: simulator.digest(),
    })
  })

  it.each(['desk.yaml', 'dsek.yml', 'desk'])(
    'suggests the file that was probably meant: %s',
    async (wrong) => {
      const path = await useFolder()
      await writeFile(path('desk.yml'), '{"scenario":"desk"}')
      await writeFile(path('notes.txt'), '')
      const { status, stderr } = await start('scenarios', 'check', path(wrong)).outcome
      expect([status, stderr]).toEqual([2, expect.stringContaining(`did you mean "${path('desk.yml')}"?`)])
    },
  )

  it('writes all problems to the error stream and continues with other files', async () => {
    const path = await useFolder()
    await writeFile(path('bad.yaml'), broken)
    const args = [path('bad.yaml'), 'empty', 'suport-desk']
    const { status, stdout, stderr } = await start('scenarios', 'check', ...args).outcome
    expect(status).toBe(2)
    expect(stdout).toMatch(/^empty: 1 agent, [^\n]+\n$/)
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/bad\.yaml:2:\d: sead: unknown key; did you mean "seed"\?$/),
      expect.stringMatching(/bad\.yaml:4:\d+: identities\[0\]\.handle: expected /),
      expect.stringMatching(/^suport-desk: .* did you mean "support-desk"\?/),
    ])
  })

  it('warns of expectations that name an unknown agent', async () => {
    const path = await useFolder()
    const lines = [
      'scenario: story',
      'identities: [{ handle: eva, threads: [{ key: a, subject: A, messages: [{ text: Hi }] }] }]',
      'expect:',
      '  - { request: threads.list, where: { query: { agent: ewa } } }',
    ]
    await writeFile(path('a.yaml'), lines.join('\n'))
    const { status, stderr } = await start('scenarios', 'check', path('a.yaml')).outcome
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /^\S*a\.yaml: warning: expect\[0\]\.where\.query\.agent: there is no identity with the handle "ewa"[^\n]*\n$/,
    )
  })

  it('reports problems of names together, after those of the format, and those of attacks in the end', async () => {
    const path = await useFolder()
    const lines = [
      'scenario: story',
      'identities: [{ handle: eva, threads: [{ key: a, subject: A, messages: [{ text: Hi }] }] }]',
      'assume: { threads.totl: page-size }',
      'attacks: [{ name: order, receive: { to: eve, text: Obey. }, obeyed: { thread: b, has: { unread: false } } }]',
      'expect:',
      '  - { thread: b, has: { unread: no } }',
    ]
    const told = async (text: string): Promise<string[]> => {
      await writeFile(path('a.yaml'), text)
      const { status, stderr } = await start('scenarios', 'check', path('a.yaml')).outcome
      expect(status).toBe(2)
      return stderr.replaceAll(path('a.yaml'), '').trimEnd().split('\n')
    }
    const names = [
      expect.stringMatching(/^:3:\d+: assume\["threads\.totl"\]|^:3:\d+: assume\./),
      expect.stringMatching(/^:6:\d+: expect\[0\]\.thread: there is no thread "b"/),
    ]
    expect(await told(lines.join('\n'))).toEqual(names)
    const seventh = (more: string) =>
      `${lines.join('\n')}\n  - { thread: a, has: { subject: "{{no.such}}" }${more} }`
    expect(await told(seventh(', descrbe: x'))).toEqual([
      expect.stringMatching(/^:7:\d+: expect\[1\]\.descrbe: unknown key; did you mean "describe"/),
    ])
    expect(await told(seventh(''))).toEqual([
      ...names,
      expect.stringMatching(/^:7:\d+: expect\[1\]\.has\.subject: no template is filled in here/),
    ])
    expect(await told([...lines.slice(0, 2), lines[3]].join('\n'))).toEqual([
      expect.stringMatching(/^:3:\d+: attacks\[0\]\.receive\.to: there is no identity/),
      expect.stringMatching(/^:3:\d+: attacks\[0\]\.obeyed\.thread: there is no thread "b"/),
    ])
  })

  it('refuses a file in another encoding at its first invalid character', async () => {
    const path = await useFolder()
    await writeFile(path('latin.yaml'), Buffer.from('scenario: a\ndescribe: caf\xe9\n', 'latin1'))
    const { status, stderr } = await start('scenarios', 'check', path('latin.yaml')).outcome
    expect(status).toBe(2)
    expect(stderr).toContain('latin.yaml:2:14: this character is not UTF-8; save the file in that encoding')
  })

  it('lists problems with their places with --json', async () => {
    const path = await useFolder()
    await writeFile(path('bad.yaml'), broken)
    const { status, stdout } = await start('scenarios', 'check', path('bad.yaml'), '--json').outcome
    expect(status).toBe(2)
    const place = { file: path('bad.yaml'), column: expect.any(Number) }
    expect(JSON.parse(stdout)).toEqual({
      file: path('bad.yaml'),
      ok: false,
      problems: [
        { ...place, line: 2, key: 'sead', message: 'unknown key; did you mean "seed"?' },
        { ...place, line: 4, key: 'identities[0].handle', message: expect.stringMatching(/^expected /) },
      ],
    })
  })
})
