import { expect, it } from 'vitest'
import { explainNotStarted } from './not-started.js'

it.each([
  [
    'vitest',
    'ENOENT',
    'There is no program vitest in PATH, but there is one in node_modules: -- npx vitest …',
  ],
  [
    'package.json',
    'ENOENT',
    'There is no program package.json in PATH; for the file in this folder, make it so with chmod +x ./package.json.',
  ],
  ['agent.py', 'EACCES', 'agent.py is not executable; run it with -- python3 agent.py ….'],
  ['./agent', 'ENOEXEC', './agent is no program for this machine; name what runs it first.'],
  ['', 'ENOENT', 'The command is empty; after -- comes the name of a program, as in -- python my_agent.py.'],
  ['agent', 'E2BIG', 'agent was given more arguments than the system takes.'],
  ['agent', 'EMFILE', 'agent could not be started: spawn EMFILE.'],
])('%s that cannot be started with %s is explained', (program, code, explanation) => {
  const error = Object.assign(new Error(`spawn ${code}`), { code })
  expect(explainNotStarted([program], error)).toBe(explanation)
})
