import { version } from '../../base/index.js'
import { createOpenApi, defaultReadings } from '../../contract/index.js'
import { chosenReadings } from '../../doors/simulator/index.js'
import type { FlagsOf } from '../flag-command.js'
import { layersOfFlags, type ReadingsFlags } from '../flags.js'
import type { addOpenApi } from '../openapi.js'

type OpenApiFlags = FlagsOf<typeof addOpenApi>

/** Prints the documented interface, with the operations of extensions. */
export async function printOpenApi({ extend = [], ...flags }: OpenApiFlags): Promise<void> {
  const chosen =
    extend.length === 0 && !flags.readings && !flags.reading
      ? { readings: defaultReadings }
      : await chosenBy(flags, extend)
  process.stdout.write(`${JSON.stringify(createOpenApi({ version, ...chosen }), null, 2)}\n`)
}

function chosenBy(flags: ReadingsFlags, extend: readonly string[]) {
  return chosenReadings('support-desk', layersOfFlags(flags), extend)
}
