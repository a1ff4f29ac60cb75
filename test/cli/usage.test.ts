import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createProgram } from '../../src/cli/program.js'
import { programInProcess } from './in-process.js'
import { refusal } from './outcomes.js'

const start = programInProcess()

describe('wrong usage', () => {
  it.each([
    [['--prot', '1'], /unknown option '--prot'[\s\S]*Did you mean --port/],
    [['serve', '--prot', '1'], /unknown option '--prot'[\s\S]*Did you mean --port/],
    [['--port'], /'--port <number>' argument missing/],
    [['--port', 'http'], /'--port <number>' argument 'http' is invalid.*0 .*65535/],
    [['--port', '65536'], /'65536' is invalid/],
    [['--port', '-1'], /'-1' is invalid/],
    [['--seed', '1.5'], /'1\.5' is invalid.*whole number/],
    [['--seed', '9'.repeat(20)], /is invalid.*whole number/],
    [['--clock', 'slow'], /no clock "slow"; choose real, frozen/],
    [['--readings', 'worst'], /no profile "worst".*worst-case/],
    [['--reading', 'threads.totl=page-size'], /no gap "threads.totl"; did you mean "threads.total"/],
    [
      ['--reading', 'threads.total=most'],
      /"most" is not a reading of threads.total. Choose one of all-matches/,
    ],
    [['--reading', 'threads.total'], /not of the form gap=reading/],
    [['--control-token', ''], /at least one character/],
    [['--control-token', 'schlüssel'], /at least one character, only ASCII/],
    [['--host', 'no host'], /"no host" is not a host name/],
    [['--host', ''], /"" is not a host name/],
    [['--allow-host', 'a/b'], /"a\/b" is not a host name/],
    [['support-desk', 'another'], /serve takes one scenario; leave out "another"/],
    [['support-desk', '8080'], /For a port, use --port 8080/],
    [['sevre'], /no command "sevre"; did you mean "serve"\?/],
    [['sevre', 'support-desk'], /no command "sevre"; did you mean "serve"\?/],
    [['fuz', 'x', '--', 'true'], /no command "fuz"; did you mean "fuzz"\?/],
    [['scenarios', 'list'], /"scenarios" is a command; write it before the flags: .* scenarios …/],
    [['support-desk', '--', './agent'], /serve does not run a command; replay, explore and fuzz run/],
    [['suport-desk'], /no scenario of that name; did you mean "support-desk"\?/],
    [[''], /^"": There is no such file\. Scenarios that ship/],
    [['./nowhere.yaml'], /nowhere\.yaml: There is no such file/],
    [['--state-sync', 'always'], /--state-sync needs .*--state-dir/],
    [['--state-reset'], /--state-reset needs .*--state-dir/],
    [['--state-dir', 'a', '--state', 'redis://b'], /--state-dir and --state exclude each other; use one/],
    [['--state', 'ftp://x'], /--state ftp:\/\/x.*a state is at a URL.*redis:\/\//],
    [['--state', 'redis://x/first'], /--state redis:\/\/x\/first.*such as redis:\/\/127\.0\.0\.1:6379\/0/],
    [['--state', 'redis://u:half%@x'], /--state redis:\/\/\*{3}@x: a state is at.*write @ as %40.*% as %25/],
    [['--state', 'redis://:p@ss/w@x'], /--state redis:\/\/\*{3}@x: a state is at/],
    [['--start', 'yesterday'], /'yesterday' is invalid.*now, scenario, or an instant/],
    [['--extend', 'nowhere.ts'], /nowhere\.ts.*there is no such file.*\.\/operations\.ts, or common/],
    [['--allow-files', 'nowhere'], /--allow-files.*'nowhere' is invalid.*no such folder/],
    [['--allow-files', 'package.json'], /'package\.json' is invalid.*name the folder that it is in/],
    [
      ['--delivery-format', 'colour=red'],
      /deliveryFormat: unknown key "colour"; expected.* signature_header/,
    ],
    [['--delivery-format', 'prefix'], /--delivery-format.*'prefix' is invalid.*key=value/],
    [['--readings', 'nowhere.yaml'], /--readings.*no file of readings "nowhere\.yaml".*worst-case/],
  ])('%j is explained, with status 2', async (args, explanation) => {
    const { status, stdout, stderr } = await start('--port', '0', ...args).outcome
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(explanation)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it('takes --verbose in every command', async () => {
    const { status, stderr } = await start('scenarios', 'check', 'nowhere.yaml', '--verbose').outcome
    expect(status).toBe(2)
    expect(stderr).toMatch(/nowhere\.yaml[\s\S]*\n +at /)
    expect((await start('readings', '--verbose', 'list').outcome).status).toBe(0)
  })

  it.each([
    ['replay refund-request --env NAME -- true', /'NAME' is invalid.*MAIL_URL=\{base_url\}/],
    [
      'fuzz empty --env URL={baseurl} -- true',
      /no placeholder \{baseurl\}; use \{base_url\}, \{api_key\} or/,
    ],
    ['fuzz refund-request', /fuzz needs a command.*after --/],
    ['fuzz --vary mial -- true', /--vary.*"mial".*readings, faults, mail/],
    ['fuzz --out report.doc -- true', /--out report\.doc: .*ends in \.doc.*--reporter/],
    [
      'calibrate --base-url http://127.0.0.1:9 --api-key-env PATH --reporter html',
      /'html' is invalid\. Allowed choices are human, json, junit, markdown\./,
    ],
    ['scenarios chek a.yaml', /'chek'[\s\S]*Did you mean npx agent-mailbox-sim scenarios check/],
    ['calibrate --base-url mail.example --api-key-env A', /--base-url.*'mail\.example'.*https:\/\//],
    [
      'calibrate --base-url https://a.example --api-key-env NONE',
      /--api-key-env NONE.*environment variable NONE is missing.*export NONE=/,
    ],
    ['state --reading x', /unknown option '--reading'\n(?!\(Did you mean)/],
    ['openapi support-desk', /too many arguments/],
    ['openapi --reading x', /--reading.*'x' is invalid.*threads\.total=page-size/],
    ['receive', /missing required argument 'agent'[\s\S]*npx agent-mailbox-sim receive --help/],
  ])('%s is explained, with status 2', async (line, explanation) => {
    expect(await refusal(start, ...line.split(' '))).toMatch(explanation)
  })

  it.each(['calibrate', 'scenarios import'])(
    '%s does not show an API key that no header can carry',
    async (command) => {
      vi.stubEnv('MAILBOX_KEY', 'sk-secret\nsecond line')
      onTestFinished(() => void vi.unstubAllEnvs())
      const flags = ['--base-url', 'http://127.0.0.1:9', '--api-key-env', 'MAILBOX_KEY', '--out', './nowhere']
      const { status, stderr } = await start(...command.split(' '), ...flags).outcome
      expect(status).toBe(2)
      expect(stderr).toMatch(/MAILBOX_KEY does not hold an API key; expected printable/)
      expect(stderr).not.toContain('secret')
    },
  )

  it.each([
    [['calibrate', '--har', 'src'], '--har src is a folder'],
    [['calibrate', '--out', 'src'], '--out src is a folder; name a file in it.'],
    [['calibrate', '--check', 'totl=x'], '--check: There is no gap "totl"'],
    [
      ['scenarios', 'import', '--out', 'nowhere', '--readings', 'totl=x'],
      '--readings: There is no gap "totl"',
    ],
    [['scenarios', 'import', '--out', 'package.json'], '--out package.json: a file has this name'],
  ])('%j is refused before anything is sent', async (args, explanation) => {
    vi.stubEnv('MAILBOX_KEY', 'test-key')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { status, stderr } = await start(
      ...args,
      '--base-url',
      'http://127.0.0.1:9',
      '--api-key-env',
      'MAILBOX_KEY',
    ).outcome
    expect(stderr).toContain(explanation)
    expect(status).toBe(2)
  })

  it.each(['first-attempt.yaml', 'missing-quote.yaml', 'timeline-threads.yaml', 'json-values.json'])(
    'prints every problem of a broken scenario: %s',
    async (file) => {
      const folder = 'test/fixtures/broken-scenarios/'
      const problems = readFileSync(`${folder}${file.replace(/\.\w+$/, '.txt')}`, 'utf8')
      expect(await refusal(start, '--port', '0', folder + file)).toBe(problems.replace(/^(?=.)/gm, folder))
    },
  )

  it('shows the stack trace only with --verbose', async () => {
    const { status, stderr } = await start('no-such-story', '--verbose').outcome
    expect(status).toBe(2)
    expect(stderr).toMatch(/^ +at /m)
  })
})

describe('help', () => {
  it('refuses a command that does not exist', async () => {
    const { status, stdout, stderr } = await start('help', 'sevre').outcome
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^error: there is no command "sevre"; did you mean "serve"\?/)
  })

  it.each([[['--help']], [['serve', '--help']]])('%j shows every flag', async (args) => {
    const { status, stdout, stderr } = await start(...args).outcome
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const flags = [
      'port',
      'host',
      'allow-host',
      'control-token',
      'seed',
      'readings',
      'reading',
      'clock',
      'watch',
    ]
    for (const flag of [...flags, 'json', 'verbose', 'help']) expect(stdout).toMatch(`--${flag} `)
  })

  const pathsBelow = (command: Command, path: readonly string[]): (readonly string[])[] => [
    path,
    ...command.commands
      .filter((sub) => sub.name() !== 'help')
      .flatMap((sub) => pathsBelow(sub, [...path, sub.name()])),
  ]
  const commands = pathsBelow(createProgram(), [])

  it.each(commands)('has an example that works: %s %s', async (...path) => {
    const { status, stdout } = await start(...path.filter((name) => name !== undefined), '--help').outcome
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Examples?:\n {2}(?:MAIL_KEY=… |eval "\$\()?npx agent-mailbox-sim\b/m)
    // A sentence, unlike the summary in the list of commands.
    expect(stdout.split('\n\n')[1]).toMatch(/^[A-Z]/)
  })

  it('--version is the version of the package', async () => {
    expect(await start('--version').outcome).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` })
  })
})
