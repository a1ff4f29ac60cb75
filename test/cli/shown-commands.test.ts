import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { formatCommand } from '../../src/base/text.js'

/** Words that a shell would take apart, expand or obey, and controls that a terminal would. */
const words = [
  ...['plain', '', 'two words', "it's", '$HOME', '`id`', '$(id)', 'a;b', 'a&&b', '*', '~', '!x', '#x', 'ü'],
  ...['"', '\\', '\\n', 'a\nb', "it's\n%s \\n $HOME", '\x1b[31mred', 'a\tb', '{a,b}', '<x>', 'a|b', '[a]'],
]

it('a command that is shown for copying reaches a program word by word, in one line without controls', () => {
  const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
  const line = formatCommand([process.execPath, '-e', program, '--', ...words])
  expect(line).not.toMatch(/\p{Cc}/u)
  expect(JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' }))).toEqual(words)
})
