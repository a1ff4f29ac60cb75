import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createProgram } from '../../src/cli/program.js'
import { programInProcess } from './in-process.js'
import { refusal } from './outcomes.js'

const start = programInProcess()

describe('wrong usage', () => {
  it('takes --verbose in every command', async () => {
    const { status, stderr } = await start('scenarios', 'check', 'nowhere.yaml', '--verbose').outcome
    expect(status).toBe(2)
    expect(stderr).toMatch(/nowhere\.yaml[\s\S]*\n +at /)
    expect((await start('assumptions', '--verbose', 'list').outcome).status).toBe(0)
  })

  it('prints every problem of a broken scenario', async () => {
    const folder = 'test/fixtures/broken-scenarios/'
    const problems = readFileSync(`${folder}first-attempt.txt`, 'utf8')
    const answer = await refusal(start, '--port', '0', `${folder}first-attempt.yaml`)
    expect(answer).toBe(problems.replace(/^(?=.)/gm, folder))
  })
})

const program = await createProgram()

describe('help', () => {
  it('of the program lists the commands in groups, serve, replay and check among the first', async () => {
    const { stdout } = await start('--help').outcome
    expect(stdout.match(/^[A-Z][^:\n]+:$/gm)).toEqual([
      'Options:',
      'Serve a mailbox:',
      'Judge an agent:',
      'Scenarios and assumptions:',
      'With a live service:',
      'Commands:',
      'Examples:',
    ])
    expect(stdout).toMatch(/Judge an agent:\n {2}replay .*\n {2}check /)
  })

  it('of a command is shown by help as well', async () => {
    const [flag, command] = [await start('replay', '--help').outcome, await start('help', 'replay').outcome]
    expect(command).toEqual(flag)
  })

  const pathsBelow = (command: Command, path: readonly string[]): (readonly string[])[] => [
    path,
    ...command.commands
      .filter((sub) => sub.name() !== 'help')
      .flatMap((sub) => pathsBelow(sub, [...path, sub.name()])),
  ]
  const commands = pathsBelow(program, [])

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
