import type { Command } from 'commander'
import type { ServerOptions } from '../server/index.js'
import type { ClockMode } from '../world/clock-mode.js'
import { collectName, parseClock, parsePort, parseSeed, parseToken } from './flag-values.js'
import { layersOfFlags, type ReadingsFlags, readingOption, readingsOption } from './readings-flags.js'

/** The flags by which a command is told of its server and the world in it. */
export interface ServerFlags extends ReadingsFlags {
  readonly port: number
  readonly host: string
  readonly allowHost?: readonly string[]
  readonly controlToken?: string
  readonly allowDeliveryTo?: readonly string[]
  readonly seed?: number
}

/** Adds the flags of where a server listens, and where it delivers. */
export function addNetworkFlags(command: Command, port: number): Command {
  return command
    .optionsGroup('Where it listens:')
    .option('--port <number>', 'port; 0 takes a free one', parsePort, port)
    .option('--host <address>', 'address; 0.0.0.0 lets other machines in', '127.0.0.1')
    .option('--allow-host <name>', 'a further name requests may ask for (repeatable)', collectName)
    .option('--control-token <token>', 'what requests to /_sim must bring as bearer token', parseToken)
    .optionsGroup('Where it delivers events to webhooks:')
    .option(
      '--allow-delivery-to <host[:port]>',
      'a receiver beyond this machine (repeatable); otherwise nothing leaves it',
      collectName,
    )
}

/** Adds the flags of what is simulated; `clock` tells how time passes where nothing is said. */
export function addWorldFlags(command: Command, clock: ClockMode | { readonly described: string }): Command {
  const modes = 'real, frozen, or a speed such as 10x'
  command
    .optionsGroup('What it simulates:')
    .option('--seed <number>', "stands in for the scenario's seed", parseSeed)
    .addOption(readingsOption())
    .addOption(readingOption())
  return typeof clock === 'string'
    ? command.option('--clock <mode>', modes, parseClock, clock)
    : command.option('--clock <mode>', `${modes} (${clock.described})`, parseClock)
}

/** What the flags say of a server. */
export function serverOptionsOf(flags: ServerFlags): ServerOptions {
  return {
    port: flags.port,
    host: flags.host,
    allowHosts: flags.allowHost,
    controlToken: flags.controlToken,
    allowDeliveriesTo: flags.allowDeliveryTo,
    seed: flags.seed,
    readings: layersOfFlags(flags),
  }
}
