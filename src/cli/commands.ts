import type { Command } from 'commander'
import type { TypedFlag } from '../runs/reports/command-line.js'
import type { FlagCommand } from './flag-command.js'
import { loadedAction, typedFlagsOf } from './flags.js'

const actions = {
  serve: () => import('./actions/serve.js'),
  mcp: () => import('./actions/mcp.js'),
  replay: () => import('./actions/replay.js'),
  check: () => import('./actions/check.js'),
  explore: () => import('./actions/explore.js'),
  fuzz: () => import('./actions/fuzz.js'),
  compare: () => import('./actions/compare.js'),
  calibrate: () => import('./actions/calibrate.js'),
  openapi: () => import('./actions/openapi.js'),
}

/** The commands in the order of the help: each adds itself, with what it does, and is loaded when it is needed. */
const commands = {
  async serve(program) {
    const { addServe } = await import('./serve.js')
    return addServe(program).action(loadedAction(actions.serve, ({ serve }) => serve))
  },
  async mcp(program) {
    const { addMcp } = await import('./serve.js')
    addMcp(program).action(loadedAction(actions.mcp, ({ mcp }) => mcp))
  },
  scenarios: async (program) => (await import('./scenarios.js')).addScenarios(program),
  assumptions: async (program) => (await import('./assumptions.js')).addAssumptionsCommands(program),
  receive: async (program) => (await import('./remote.js')).addReceive(program),
  trigger: async (program) => (await import('./remote.js')).addTrigger(program),
  async replay(program) {
    const { addReplay } = await import('./replay.js')
    const act = loadedAction(actions.replay, ({ runReplay }) => runReplay)
    actWithTyped(addReplay(program), act)
  },
  async check(program) {
    const { addCheck } = await import('./check.js')
    const act = loadedAction(actions.check, ({ runCheck }) => runCheck)
    actWithTyped(addCheck(program), act)
  },
  async explore(program) {
    const { addExplore } = await import('./explore.js')
    const act = loadedAction(actions.explore, ({ runExplore }) => runExplore)
    actWithTyped(addExplore(program), act)
  },
  async fuzz(program) {
    const { addFuzz } = await import('./fuzz.js')
    const act = loadedAction(actions.fuzz, ({ runFuzz }) => runFuzz)
    actWithTyped(addFuzz(program), act)
  },
  async compare(program) {
    const { addCompare } = await import('./compare.js')
    addCompare(program).action(loadedAction(actions.compare, ({ runCompare }) => runCompare))
  },
  async calibrate(program) {
    const { addCalibrate } = await import('./calibrate.js')
    addCalibrate(program).action(loadedAction(actions.calibrate, ({ runCalibrate }) => runCalibrate))
  },
  async openapi(program) {
    const { addOpenApi } = await import('./openapi.js')
    addOpenApi(program).action(loadedAction(actions.openapi, ({ printOpenApi }) => printOpenApi))
  },
} satisfies Readonly<Record<string, (program: Command) => Promise<unknown>>>

/** Adds all commands to the program; returns the one that runs when none is named. */
export async function addCommands(program: Command): Promise<Command> {
  const { serve, ...others } = commands
  const usual = await serve(program)
  for (const add of Object.values(others)) await add(program)
  return usual
}

/** Adds the command that a command line names; returns whether it names one, and no other has to be known. */
export async function addNamed(program: Command, name: string | undefined): Promise<boolean> {
  // `serve` refuses the names of others.
  if (name === undefined || name === 'serve' || !Object.hasOwn(commands, name)) return false
  await commands[name as keyof typeof commands](program)
  return true
}

/** Gives a command an action that also gets the flags as they were typed, for command lines that repeat a run. */
function actWithTyped<Flags extends object>(
  command: FlagCommand<Flags>,
  act: (flags: Flags, line: Command, typed: readonly TypedFlag[]) => Promise<void>,
): void {
  const typed = typedFlagsOf(command)
  command.action((_, flags, line) => act(flags, line, typed))
}
