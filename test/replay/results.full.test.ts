import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { nextLine, useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { story } from './story.js'

const program = useProgram()

const agent = `
  api="$MAILBOX_BASE_URL/api/v1/identities/support"; key="authorization: Bearer $MAILBOX_API_KEY"
  for name in One Two Busy; do
    curl -s -X PATCH -H "$key" -H 'content-type: application/json' -d "{\\"display_name\\":\\"$name\\"}" "$api" > /dev/null
  done`

it('serves the world of a play as it was at an exchange and at its end', async () => {
  const path = await useFolder()
  await writeFile(path('story.json'), JSON.stringify(story()))
  await program('replay', path('story.json'), '--out', path('results/'), '--', 'sh', '-c', agent).outcome
  const { digest } = JSON.parse(await readFile(path('results/report.json'), 'utf8'))
  const read = async (where: string, ...flags: readonly string[]) => {
    const { control } = JSON.parse(
      await nextLine(program('serve', path('results/'), ...flags, '--port', '0', '--json')),
    )
    return (await fetch(`${control}${where}`)).json()
  }
  expect(await read('/world?digest=true')).toMatchObject({ clock: 'frozen', digest })
  expect((await read('/identities/support', '--at', '2')).display_name).toBe('Two')

  const refused = await Promise.all([
    program('serve', path('results/'), '--at', '7').outcome,
    program('serve', path('story.json'), '--at', '2').outcome,
    program('serve', path('gone/'), '--at', '2').outcome,
  ])
  expect(refused.map(({ status }) => status)).toEqual([2, 2, 2])
  expect(refused[0]?.stderr).toContain('There is no exchange 7 in these results; the last is 3.')
  expect(refused[1]?.stderr).toContain('--at is for the results of replay')
  expect(refused[2]?.stderr).toContain(
    'results.json: there is no such file; replay --out FOLDER/ writes one.',
  )
})
