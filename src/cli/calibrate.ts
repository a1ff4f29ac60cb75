import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { flagCommand } from './flag-command.js'
import { numberWithin } from './flag-values.js'
import { apiKeyOption, baseUrlOption, rateOption } from './flags.js'

/** Adds the command that learns how a live service settles the gaps. */
export function addCalibrate(program: Command) {
  const command = program
    .command('calibrate')
    .summary('learn which assumptions a live service follows')
    .description(description)
    .usage('--base-url <url> --api-key-env <name> [options]')
  return flagCommand(command)
    .optionsGroup('The service:')
    .addOption(baseUrlOption())
    .addOption(apiKeyOption())
    .option('--agent <handle>', 'the agent to send requests about (default: one that the mailbox shows)')
    .optionsGroup('What it may do:')
    .option('--allow-writes', 'also PATCH the identity of --agent, and restore it each time')
    .addOption(rateOption())
    .option('--max-requests <number>', 'maximum number of requests', parseCount, 300)
    .option('--dry-run', 'show what would be sent, and send nothing')
    .optionsGroup('Output:')
    .option('--out <file>', 'write what was learned to this file of assumptions')
    .option(
      '--check <file>',
      'compare with a file of assumptions; exit status 1 if the service contradicts it',
    )
    .addHelpText('after', `\n${examples}`)
}

const description = [
  'Sends requests to a service, for each gap those that show how it is settled. What the answers show is written to ' +
    '--out, a file for --assume; what they cannot show is unclear, never a guess.',
  'By default, it only reads and changes nothing.',
].join('\n\n')

const examples = `Examples:
  MAIL_KEY=… ${invocation} calibrate --base-url https://mail.example --api-key-env MAIL_KEY --out live.yaml
  ${invocation} --assume ./live.yaml                      serves what was learned
  ${invocation} calibrate … --check live.yaml               in CI: has the service changed?
  ${invocation} calibrate … --allow-writes --agent support  learns about updates as well

Exit status: 0 if it finished, 1 if it had to stop or --check found a change, 2 for wrong usage or a refused key.`

const parseCount = numberWithin(1, 999_999, 'It must be a number of requests, 1 or more.')
