import { version } from '../../base/package.js'
import { defaultAssumptions } from '../../contract/gaps.js'
import { createOpenApi } from '../../contract/openapi.js'
import { chosenAssumptions } from '../../doors/simulator/scenario-loader.js'
import type { FlagsOf } from '../flag-command.js'
import { type AssumptionsFlags, layersOfFlags } from '../flags.js'
import type { addOpenApi } from '../openapi.js'

type OpenApiFlags = FlagsOf<typeof addOpenApi>

/** Prints the documented interface, with the operations of extensions. */
export async function printOpenApi({ extend = [], ...flags }: OpenApiFlags): Promise<void> {
  const chosen =
    extend.length === 0 && !flags.assume ? { assumptions: defaultAssumptions } : await chosenBy(flags, extend)
  process.stdout.write(`${JSON.stringify(createOpenApi({ version, ...chosen }), null, 2)}\n`)
}

function chosenBy(flags: AssumptionsFlags, extend: readonly string[]) {
  return chosenAssumptions('support-desk', layersOfFlags(flags), extend)
}
