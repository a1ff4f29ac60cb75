import { expect, it } from 'vitest'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { anyPool } from './kinds/index.js'

it('gives an element the same entries whether its mail is compiled alone or with that of others', async () => {
  const [together, alone] = [
    await FuzzedScenario.load('refund-request'),
    await FuzzedScenario.load('refund-request'),
  ]
  const { mail } = anyPool(together)
  await together.compile(mail)
  for (const element of mail.filter((_, place) => place % 12 === 0)) {
    const { triggered = [] } = await alone.stateOf([element], [])
    expect(triggered.flatMap(({ commands }) => commands).length).toBeGreaterThan(0)
    expect((await together.stateOf([element], [])).triggered).toEqual(triggered)
  }
})
