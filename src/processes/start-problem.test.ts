import { expect, it } from 'vitest'
import { explainStartProblem } from './run-command.js'

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
  [
    './agent',
    'ENOEXEC',
    './agent is not a program for this machine; put the program that runs it in front of it.',
  ],
  ['', 'ENOENT', 'The command is empty; name a program after --, as in -- python my_agent.py.'],
  [
    'agent',
    'E2BIG',
    'agent was given more arguments than the system allows; write them to a file that it reads.',
  ],
  ['agent', 'EMFILE', 'agent could not be started: spawn EMFILE.'],
])('explains why %s cannot be started with %s', (program, code, explanation) => {
  const error = Object.assign(new Error(`spawn ${code}`), { code })
  expect(explainStartProblem([program], error)).toBe(explanation)
})
