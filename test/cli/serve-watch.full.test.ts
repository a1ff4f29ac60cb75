import { mkdir, rename, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findLine, nextLine, type RunningProgram, useProgram } from './program.js'
import { useFolder } from './temporary-folder.js'

const start = useProgram()

/** Returns a scenario with one thread of this subject. */
const story = (subject: string, more = ''): string => {
  return `scenario: story\nseed: 3\nidentities:\n  - handle: eva\n    threads: [{ subject: ${subject}, messages: [{ text: Hello }] }]\n${more}`
}

/** Saves like many editors: replaces the file with a new one. */
async function save(file: string, text: string): Promise<void> {
  await writeFile(`${file}~`, text)
  await rename(`${file}~`, file)
}

interface Watched {
  readonly program: RunningProgram
  readonly url: string
  readonly control: string
}

async function watch(...args: readonly string[]): Promise<Watched> {
  const program = start('serve', ...args, '--watch', '--json', '--port', '0')
  const { url, control } = JSON.parse(await nextLine(program))
  return { program, url, control }
}

async function nextEvent({ program }: Watched): Promise<Record<string, unknown>> {
  return JSON.parse(await nextLine(program))
}

async function subjects({ url }: Watched): Promise<string[]> {
  const headers = { authorization: 'Bearer test-key' }
  const answer = await fetch(`${url}/api/v1/mail/threads?agent=eva`, { headers })
  const { threads } = (await answer.json()) as { threads: { subject: string }[] }
  return threads.map(({ subject }) => subject)
}

/** Ends the program and returns its error stream. */
async function end({ program }: Watched): Promise<string> {
  program.process.kill('SIGINT')
  const { status, stderr } = await program.outcome
  expect(status).toBe(0)
  return stderr
}

const reloaded = { event: 'reloaded', scenario: 'story', seed: 3 }

describe('serve --watch', () => {
  it('keeps the last valid scenario after a mistake and reports the problem', async () => {
    const path = await useFolder()
    await save(path('story.yaml'), story('One'))
    const watched = await watch(path('story.yaml'))
    await save(path('story.yaml'), story('Two', 'sead: 3\n'))
    const problem = {
      file: path('story.yaml'),
      line: 6,
      key: 'sead',
      message: 'unknown key; did you mean "seed"?',
    }
    expect(await nextEvent(watched)).toEqual({
      event: 'reload-failed',
      problems: [{ ...problem, column: expect.any(Number) }],
    })
    expect(await subjects(watched)).toEqual(['One'])
    await save(path('story.yaml'), story('Two'))
    expect(await nextEvent(watched)).toEqual(reloaded)
    expect(await subjects(watched)).toEqual(['Two'])
    expect(await end(watched)).toMatch(
      /^\S+story\.yaml:6:\d+: sead: unknown key; did you mean "seed"\?\nNot reloaded: the server keeps serving the previous version\.\n$/,
    )
  })

  it('watches all files of a scenario, including added ones', async () => {
    const path = await useFolder()
    const withNote = (file: string) => {
      return `scenario: story\nseed: 3\nidentities:\n  - handle: eva\n    threads: [{ messages: [{ eml: ${file} }] }]\n`
    }
    const mail = (subject: string) =>
      `From: ann@example.com\nTo: eva@agents.example\nSubject: ${subject}\n\nHello\n`
    await mkdir(path('mail'))
    await save(path('mail/a.eml'), mail('One'))
    await save(path('story.yaml'), withNote('./mail/a.eml'))
    const watched = await watch(path('story.yaml'))
    await save(path('mail/a.eml'), mail('Two'))
    expect(await nextEvent(watched)).toEqual(reloaded)
    expect(await subjects(watched)).toEqual(['Two'])
    await mkdir(path('more'))
    await save(path('more/b.eml'), mail('Three'))
    await save(path('story.yaml'), withNote('./more/b.eml'))
    expect(await nextEvent(watched)).toEqual(reloaded)
    await save(path('more/b.eml'), mail('Four'))
    expect(await nextEvent(watched)).toEqual(reloaded)
    expect(await subjects(watched)).toEqual(['Four'])
    expect(await end(watched)).toBe('')
  })

  it('loads mail added to a folder', async () => {
    const path = await useFolder()
    await mkdir(path('mail'))
    const mail = (subject: string) => `From: ann@example.com\nSubject: ${subject}\n\nHello\n`
    await save(path('mail/a.eml'), mail('One'))
    await save(
      path('story.yaml'),
      'scenario: story\nseed: 3\nidentities: [{ handle: eva, maildir: ./mail }]\n',
    )
    const watched = await watch(path('story.yaml'))
    await save(path('mail/b.eml'), mail('Two'))
    expect(await nextEvent(watched)).toEqual(reloaded)
    expect((await subjects(watched)).toSorted()).toEqual(['One', 'Two'])
  })

  it('reports reloads', async () => {
    const path = await useFolder()
    await save(path('story.yaml'), story('One'))
    const program = start('serve', path('story.yaml'), '--watch', '--port', '0')
    await findLine(program, /Ctrl-C/)
    await save(path('story.yaml'), story('Two', '  - handle: tom\n'))
    expect(await findLine(program, /Reloaded.*/)).toBe(
      'Reloaded: story: 2 agents, 1 thread, 1 message, 0 webhooks',
    )
  })

  it('reloads a module with its imports', async () => {
    const path = await useFolder()
    await save(path('subject.ts'), "export const subject: string = 'One'\n")
    await save(
      path('story.ts'),
      `import { defineScenario } from 'agent-mailbox-sim'
import { subject } from './subject'
export default defineScenario({
  scenario: 'story',
  seed: 3,
  identities: [{ handle: 'eva', threads: [{ subject, messages: [{ text: 'Hello' }] }] }],
})
`,
    )
    const watched = await watch(path('story.ts'))
    await save(path('subject.ts'), "export const subject: string = 'Two'\n")
    expect(await nextEvent(watched)).toEqual(reloaded)
    expect(await subjects(watched)).toEqual(['Two'])
  })
})
