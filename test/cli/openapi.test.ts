import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { defaultAssumptions } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { programInProcess } from './in-process.js'

const start = programInProcess()

it('openapi prints the document of the interface', async () => {
  const { status, stdout, stderr } = await start('openapi').outcome
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { version } = packageJson
  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(JSON.stringify(createOpenApi({ version, assumptions: defaultAssumptions }))),
  )
})
