import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createOpenApi } from '../../src/contract/openapi.js'
import { useProgram } from './program.js'

const start = useProgram()

it('openapi prints the document of the interface', async () => {
  const { status, stdout, stderr } = await start('openapi').outcome
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { version } = packageJson
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(createOpenApi({ version }))))
})

it('openapi takes nothing else', async () => {
  const { status, stdout, stderr } = await start('openapi', 'support-desk').outcome
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/too many arguments/)
})
