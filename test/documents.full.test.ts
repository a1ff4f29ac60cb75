import { cp, readFile, writeFile } from 'node:fs/promises'
import { type ServerOptions, startServer } from 'agent-mailbox-sim/server'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createProgram } from '../src/cli/program.js'
import { built } from './cli/built-program.js'
import { programInProcess } from './cli/in-process.js'
import { nextLine, useProgram } from './cli/program.js'
import { pythonWithPytest } from './examples/languages.js'
import { createProject, type ExampleProject } from './examples/project.js'
import { type Block, blocksIn, linesIn, projectFiles, root, textOf, wordsIn } from './support/documents.js'
import { folderOf } from './support/temporary-folder.js'

// Every fenced block of every page runs in one of the ways below, or is of a language that shows output only.

const pages = projectFiles('md')
const blocks = pages.flatMap((page) => blocksIn(page).map((block) => ({ page, ...block })))
const program = `"${process.execPath}" "${built.main}"`

const start = useProgram()

let project: ExampleProject

beforeAll(async () => {
  project = await createProject()
  await cp(`${root}/fixtures/mail`, `${project.folder}/files/mail`, { recursive: true })
  for (const block of blocks.filter(({ file, language }) => file && language !== 'js')) {
    await project.write(`files/${block.file}`, block.text)
  }
})

afterAll(() => project.remove())

/** Commands that need a network, a package to install, or an agent of the reader. */
const notRun =
  /^(npm|pip|cp|export|python3|node|npx (vitest|jiti|promptfoo)|inspect|claude|([A-Z_]+=\S+ )+(npx vitest|python3)|exit|status=)\b/

it('every page has only blocks that run, or that show output', () => {
  const known = ['', 'sh', 'yaml', 'json', 'js', 'ts', 'cjs', 'mjs', 'python', 'text', 'toml']
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([])
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap(linesIn)
  const others = commands.filter(
    (line) => !programIn(line) && !line.startsWith('curl ') && !notRun.test(line),
  )
  expect(others).toEqual([])
})

describe('commands of the program', () => {
  it('use existing commands, flags and values, in documents, workflows and scripts', async () => {
    const wrong: string[] = []
    let count = 0
    for (const document of projectFiles('md', 'yml', 'yaml', 'sh')) {
      for (const words of linesIn({ text: textOf(document) }).flatMap((line) => programIn(line) ?? [])) {
        count++
        const problem = await problemOf(words)
        if (problem !== undefined) wrong.push(`${document}: ${words.join(' ')}: ${problem}`)
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(60)
    expect(await problemOf(['replay', 'a.yaml', '--grase', '5s'])).toContain("unknown option '--grase'")
  })
})

/** Returns the arguments of the program in a line, as a list of one; undefined for other lines, and for prose. */
function programIn(line: string): string[][] | undefined {
  const found =
    /^(?:- run: |[A-Z_]+=\S+ |claude mcp add \S+ -- )*(?:(?:npx )?agent-mailbox-sim(?= |$)|npm start --(?= ))(.*)$/.exec(
      line.trim(),
    )
  const rest = found?.[1]
  if (rest === undefined || /[[<|…]|`| {2,}[a-z]+ /.test(rest.split(' -- ')[0] as string)) return undefined
  return [wordsIn(rest.replace(/ +(#|\|\| |> |&$|&& ).*$/, ''))]
}

/** Returns the error of a command line that is only parsed. */
async function problemOf(words: readonly string[]): Promise<string | undefined> {
  const parser = await createProgram()
  const said: string[] = []
  const disarm = (command: Command): void => {
    command.action(() => undefined)
    command.configureOutput({ writeOut: () => undefined, writeErr: (text) => void said.push(text) })
    for (const sub of command.commands) disarm(sub)
  }
  disarm(parser)
  try {
    await parser.parseAsync([...words], { from: 'user' })
    return undefined
  } catch (error) {
    return (error as { exitCode?: number }).exitCode === 0 ? undefined : said.join('') || String(error)
  }
}

describe('requests with curl', () => {
  /** The servers that pages speak of, besides one with a frozen clock. */
  const servers: Readonly<Record<string, ServerOptions>> = {
    'docs/webhooks.md': { assume: 'worst-case', receiver: () => new Response(null, { status: 500 }) },
    'docs/extensions.md': { extend: [`${root}/extensions/common.ts`] },
    'docs/sending.md': { extend: ['common'] },
  }
  const withCurl = pages.filter((page) => /^curl /m.test(textOf(page)))

  it.each(withCurl)('%s: get the documented answers', async (page) => {
    const folder = await folderOf()
    const server = await startServer({ port: 0, clock: 'frozen', ...servers[page] })
    onTestFinished(async () => void (await server.close()))
    // A page that documents statuses does so for all but 200.
    const usual = / # \d{3}$/m.test(textOf(page)) ? [200] : [200, 201, 204]
    const wrong: unknown[] = []
    for (const { line, shown } of requestsIn(page)) {
      if (!line.startsWith('curl ')) {
        const [words = []] = programIn(line) ?? []
        const { status, stderr } = await programInProcess()(...words, '--url', `${server.url}/_sim`).outcome
        if (status !== 0) wrong.push({ line, status, stderr })
        continue
      }
      const here = line
        .replace('http://127.0.0.1:4280', server.url)
        .replace('$MAILBOX_SIM_URL', `${server.url}/_sim`)
      const { status, body } = await runCurl(wordsIn(here.replace(/ +# .*/, '')).slice(1), folder)
      const documented = / # (\d{3})$/.exec(line)?.[1]
      const isRight = documented === undefined ? usual.includes(status) : status === Number(documented)
      if (!isRight) wrong.push({ line, status, body })
      if (shown !== undefined) expect(JSON.parse(body)).toMatchObject(expected(shown) as object)
    }
    expect(wrong).toEqual([])
  })
})

/** Returns the requests of a page in order, each with the answer that the page shows below it. */
function requestsIn(page: string): { readonly line: string; readonly shown?: unknown }[] {
  const all = blocksIn(page)
  return all.flatMap((block, index) => {
    if (block.language !== 'sh') return []
    const lines = linesIn(block).filter((line) =>
      /^(curl|npx agent-mailbox-sim (receive|trigger)) /.test(`${line} `),
    )
    const next = all[index + 1]
    const isShown = next?.language === 'json' && textOf(page).includes(`${block.text}\`\`\`\n\n\`\`\`json\n`)
    return lines.map((line, at) => ({
      line,
      ...(isShown && at === lines.length - 1 && { shown: JSON.parse(next.text) }),
    }))
  })
}

/** Sends the request of a command, whose files are in a folder. */
async function runCurl(
  args: readonly string[],
  folder: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = new Headers()
  let [url, method, output]: (string | undefined)[] = []
  let body: Uint8Array<ArrayBuffer> | undefined
  const words = args.values()
  for (const word of words) {
    const value = (): string => words.next().value as string
    if (word === '-X') method = value()
    else if (word === '-H') headers.append(...(value().split(': ', 2) as [string, string]))
    else if (word === '-d') body = new TextEncoder().encode(value())
    else if (word === '--data-binary') body = new Uint8Array(await readFile(`${folder}/${value().slice(1)}`))
    else if (word === '-o' || word === '>') output = value()
    else if (word.startsWith('http')) url = word
    else expect(['-N', '-s']).toContain(word)
  }
  const answer = await fetch(url as string, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers,
    ...(body && { body }),
  })
  const { status } = answer
  if (args.includes('-N')) {
    const first = await answer.body?.getReader().read()
    return { status, body: new TextDecoder().decode(first?.value) }
  }
  const text = await answer.text()
  if (output !== undefined) await writeFile(`${folder}/${output}`, text)
  return { status, body: text }
}

/** Returns a documented value with `…` as a matcher of any text. */
function expected(shown: unknown): unknown {
  if (shown === '…') return expect.any(String)
  if (Array.isArray(shown)) return shown.map(expected)
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, expected(value)]))
}

describe('files', () => {
  const isScenario = ({ language, text }: Block) =>
    language === 'yaml' && /^(scenario|webhooks|delivery_format):/m.test(text)

  it('in YAML and JSON are well-formed', () => {
    for (const { page, language, text } of blocks) {
      if (language === 'yaml') expect(() => parse(text), `${page}: ${text}`).not.toThrow()
      if (language === 'json' && !/^ *…$/m.test(text)) expect(() => JSON.parse(text), page).not.toThrow()
    }
  })

  it('that are scenarios or assumptions have no problems', async () => {
    const scenarios = blocks.filter((block) => isScenario(block) && block.file !== 'broken.yaml')
    const names: string[] = []
    await project.write('files/drafts.ts', textOf('examples/extensions/drafts.ts'))
    for (const [index, { file = `page-${index}.yaml`, text }] of scenarios.entries()) {
      const whole = /^scenario:/m.test(text)
        ? text
        : `scenario: page\nidentities: [{ handle: support }]\n${text}`
      await project.write(`files/${file}`, whole)
      names.push(file)
    }
    const said = await project.run(`${program} scenarios check first.ts ${names.join(' ')}`, 'files')
    const checked = said.split('\n').flatMap((line) => /^(\S+\.(?:yaml|ts)): /.exec(line)?.[1] ?? [])
    expect(new Set(checked)).toEqual(new Set(['first.ts', ...names]))
    const assumptions = blocks.filter(({ text }) => /^extends:/m.test(text))
    expect(assumptions).toHaveLength(2)
    for (const { text } of assumptions) {
      await project.write('files/assumptions.yaml', text)
      const shown = await project.run(`${program} assumptions --assume ./assumptions.yaml`, 'files')
      expect(shown).toMatch(/threads\.total .*all-matches/)
    }
  })

  it('of docs/scenarios.md work with its commands, and its mistakes are reported as shown', async () => {
    const guide = blocks.filter(({ page }) => page === 'docs/scenarios.md')
    for (const line of guide.filter(({ language }) => language === 'sh').flatMap(linesIn)) {
      const command = line.replace(/ +#.*/, '')
      if (command.includes(' serve ')) {
        const args = wordsIn(command.replace('npx agent-mailbox-sim ', ''))
        const paths = args.map((word) => (word.endsWith('.yaml') ? `${project.folder}/files/${word}` : word))
        const served = start(...paths, '--port', '0', '--json')
        expect(await nextLine(served)).toContain('"event":"ready"')
        served.process.kill()
        await served.outcome
      } else {
        const said = await project.run(command.replace('npx agent-mailbox-sim', program), 'files')
        expect(said).not.toContain('error:')
      }
    }
    const shown = guide.filter(({ language }) => language === 'text').map(({ text }) => text)
    const said = await project.run(`${program} scenarios check broken.yaml`, 'files')
    expect(shown).toEqual([said.trimStart()])
  })
})

describe('snippets', () => {
  const codes = blocks.filter(({ language }) => ['js', 'ts', 'cjs'].includes(language))
  const containing = (words: string) =>
    codes.filter(({ text }) => text.includes(words)).map(({ text }) => text)

  it('that are tests for Vitest pass', async () => {
    const shown = codes.filter(({ page, language, text }) => {
      return language === 'js' && page !== 'docs/tutorial.md' && text.includes("vitest'\n")
    })
    for (const [index, { text }] of shown.entries()) await project.write(`shown/${index}.test.mjs`, text)
    const said = await project.run('vitest run --dir shown --no-isolate --maxWorkers 2 --testTimeout 30000')
    expect(said).toMatch(new RegExp(`Test Files +${shown.length} passed \\(${shown.length}\\)`))
    expect(shown.length).toBeGreaterThan(17)
  })

  it('that are tests for Jest and node:test pass', async () => {
    const [configuration = ''] = containing('jest.config.mjs')
    const [test = ''] = containing('expect.extend(mailboxMatchers)')
    const [nodeTest = ''] = containing("from 'node:test'")
    await project.write('page/jest.config.mjs', configuration)
    await project.write('page/jest-of-page.mjs', test)
    await project.write('page/node-test-of-page.mjs', nodeTest)
    const jest =
      'node --experimental-vm-modules ../node_modules/jest/bin/jest.js --testMatch "**/jest-of-page.mjs"'
    expect(await project.run(jest, 'page')).toMatch(/Tests: +1 passed, 1 total/)
    expect(await project.run('node --test node-test-of-page.mjs', 'page')).toMatch(/pass 1\n.*fail 0\n/)
  })

  it('in TypeScript have no type errors', async () => {
    const shown = codes.filter(({ language }) => language === 'ts')
    for (const [index, { page, text }] of shown.entries()) {
      await project.write(`typed/${page.replace(/\W/g, '-')}-${index}.ts`, `${surroundings(text)}\n${text}`)
    }
    const flags = '--noEmit --strict --module nodenext --target esnext --skipLibCheck --types node,jest'
    expect((await project.run(`tsc ${flags} typed/*.ts`)).trim()).toBe('')
    expect(shown.length).toBeGreaterThan(8)
  })
})

/** Declares what the text around a snippet speaks of, as far as the snippet does not. */
function surroundings(text: string): string {
  const imports = Object.entries({
    defineExtension: 'agent-mailbox-sim',
    listen: 'agent-mailbox-sim/node',
    writeFile: 'node:fs/promises',
    readFile: 'node:fs/promises',
    Client: '@modelcontextprotocol/client',
  }).flatMap(([name, from]) => {
    return text.includes(`${name}(`) && !text.includes(`import { ${name}`)
      ? [`import { ${name} } from '${from}'`]
      : []
  })
  const isTest = /\b(test|expect)\(/.test(text)
  return [
    "import type { Simulator } from 'agent-mailbox-sim'",
    ...(text.includes("module 'expect'") ? ["import type {} from 'expect'"] : []),
    ...imports,
    ...(isTest && !text.includes('agent-mailbox-sim/vitest')
      ? ["import { expect, test } from 'vitest'"]
      : []),
    'declare const sim: Simulator',
    ...(text.includes('const mailbox') ? [] : ['declare const mailbox: Simulator']),
    'declare function runAgent(options: { baseUrl: string; apiKey: string }): Promise<void>',
    'declare function agent(baseUrl: string, apiKey: string): Promise<void>',
  ].join('\n')
}

// Their processes mostly wait, so they run beside each other.
describe.concurrent('docs/sending.md', () => {
  const python = pythonWithPytest()

  it.skipIf(python === undefined)('has a story and tests that its agent passes', async () => {
    const { text = '' } = blocks.find(({ file }) => file === 'answers.py') ?? {}
    await project.write('files/without_key.py', text.replace(/\{"Idempotency-Key".*\}/, '{}'))
    const replay = `${program} replay lamp.yaml --grace 1s -- ${python}`
    const variables = `PYTHONPATH="${root}/python" MAILBOX_SIM_COMMAND='${program}'`
    const pytest = `${python} -m pytest -q -o mailbox_scenario=lamp.yaml -p agent_mailbox_sim.pytest_plugin`
    const [passed, failed, tested] = await Promise.all([
      project.run(`${replay} answers.py`, 'files'),
      project.run(`${replay} without_key.py`, 'files'),
      project.run(`${variables} ${pytest} test_answers.py`, 'files'),
    ])
    expect(passed).toMatch(/✓ lamp passed: (.*\n)*responses depended on \d+ gaps/)
    expect(failed).toContain('the same message sent again to ann@example.com')
    expect(tested).toContain('1 passed')
  })
})

describe.concurrent('python/README.md', () => {
  const python = pythonWithPytest()

  it.skipIf(python === undefined)('has a test that passes', async () => {
    const agent = [
      'from urllib.request import Request, urlopen',
      'def run_my_agent(base_url, api_key):',
      '    asked = Request(f"{base_url}/api/v1/mail/threads?agent=support", headers={"authorization": f"Bearer {api_key}"})',
      '    return urlopen(asked).read()',
    ]
    const [shown] = blocks.filter(
      ({ page, language }) => page === 'python/README.md' && language === 'python',
    )
    await project.write('python/test_shown.py', `${agent.join('\n')}\n\n${shown?.text}`)
    const variables = `PYTHONPATH="${root}/python" MAILBOX_SIM_COMMAND='${program}'`
    const pytest = `${python} -m pytest -q -p agent_mailbox_sim.pytest_plugin test_shown.py`
    expect(await project.run(`${variables} ${pytest}`, 'python')).toContain('1 passed')
  })
})

describe.concurrent('docs/tutorial.md', () => {
  it('works line by line', async () => {
    const steps = blocks.filter(({ page }) => page === 'docs/tutorial.md')
    const samples = steps.filter(({ language, text }) => language === '' && /^[✓✗]/.test(text))
    const type = (command: string) => {
      const typed = command.replace(/npx agent-mailbox-sim/g, program).replace(/npx vitest/g, 'vitest')
      return project.run(typed.trim(), 'tutorial')
    }
    const written = new Map<string, string>()
    const said: string[] = []
    for (const { language, text, file } of steps) {
      if (file) {
        written.set(file, text)
        await project.write(`tutorial/${file}`, text)
        // `write` puts the agent of the examples beside it.
        for (const [name, own] of written) await writeFile(`${project.folder}/tutorial/${name}`, own)
      } else if (language === 'sh') {
        said.push(await type(text))
      } else if (language === 'js') {
        // The line that is mended, and the command before it again.
        const mended = (written.get('agent.mjs') ?? '').replace(/^.*>= total.*\n/m, text)
        expect(mended).not.toBe(written.get('agent.mjs'))
        written.set('agent.mjs', mended)
        await writeFile(`${project.folder}/tutorial/agent.mjs`, mended)
        const [, check] = steps.filter((step) => step.language === 'sh')
        expect(await type(check?.text ?? '')).toContain('✓ vitest run passes')
      }
    }
    expect(said[0]).toMatch(/Tests +1 passed/)
    expect(samples).toHaveLength(2)
    for (const { text } of samples) expect(said.join('\n')).toContain(text)
  })
})
