import type { Command } from 'commander'
import type { TypedFlag } from '../runs/reports/index.js'
import { addCalibrate } from './calibrate.js'
import { addCompare } from './compare.js'
import { addExplore } from './explore.js'
import type { FlagCommand } from './flag-command.js'
import { loadedAction, typedFlagsOf } from './flags.js'
import { addFuzz } from './fuzz.js'
import { addJudge } from './judge.js'
import { addOpenApi } from './openapi.js'
import { addReadingsCommands } from './readings.js'
import { addReceive, addTrigger } from './remote.js'
import { addReplay } from './replay.js'
import { addScenarios } from './scenarios.js'
import { addMcp, addServe } from './serve.js'
import { addState } from './state.js'

const actions = {
  serve: () => import('./actions/serve.js'),
  mcp: () => import('./actions/mcp.js'),
  replay: () => import('./actions/replay.js'),
  explore: () => import('./actions/explore.js'),
  fuzz: () => import('./actions/fuzz.js'),
  compare: () => import('./actions/compare.js'),
  judge: () => import('./actions/judge.js'),
  calibrate: () => import('./actions/calibrate.js'),
  openApi: () => import('./actions/openapi.js'),
}

/** Adds all commands to the program, each with what it does; returns the one that runs when none is named. */
export function addCommands(program: Command): Command {
  const usual = addServe(program).action(loadedAction(actions.serve, ({ serve }) => serve))
  addMcp(program).action(loadedAction(actions.mcp, ({ mcp }) => mcp))
  addScenarios(program)
  addReadingsCommands(program)
  addReceive(program)
  addTrigger(program)
  actWithTyped(
    addReplay(program),
    loadedAction(actions.replay, ({ runReplay }) => runReplay),
  )
  actWithTyped(
    addExplore(program),
    loadedAction(actions.explore, ({ runExplore }) => runExplore),
  )
  actWithTyped(
    addFuzz(program),
    loadedAction(actions.fuzz, ({ runFuzz }) => runFuzz),
  )
  addCompare(program).action(loadedAction(actions.compare, ({ runCompare }) => runCompare))
  addJudge(program).action(loadedAction(actions.judge, ({ runJudge }) => runJudge))
  addCalibrate(program).action(loadedAction(actions.calibrate, ({ runCalibrate }) => runCalibrate))
  addOpenApi(program).action(loadedAction(actions.openApi, ({ printOpenApi }) => printOpenApi))
  addState(program)
  return usual
}

/** Gives a command an action that also gets the flags as they were typed, for command lines that repeat a run. */
function actWithTyped<Flags extends object>(
  command: FlagCommand<Flags>,
  act: (flags: Flags, line: Command, typed: readonly TypedFlag[]) => Promise<void>,
): void {
  const typed = typedFlagsOf(command)
  command.action((_, flags, line) => act(flags, line, typed))
}
