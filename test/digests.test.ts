import { createSimulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'

const scenarios = ['empty', 'support-desk', 'refund-request', 'bounce-storm', 'world-mail'] as const
const seeds = [1, 1337] as const

async function digestsOf(scenario: string): Promise<string[]> {
  const digests: string[] = []
  for (const seed of seeds) {
    const sim = await createSimulator({ scenario, seed })
    const atFirst = sim.digest()
    await sim.clock.advance('30d')
    digests.push(`${scenario} ${seed} ${atFirst} ${sim.digest()}`)
    sim.close()
  }
  return digests
}

// The file is valid for every machine and version of Node; update it after changing the contents of scenarios.
it('the same scenario and seed give the same world everywhere, at the start and at the end', async () => {
  const lines: string[] = []
  for (const scenario of scenarios) lines.push(...(await digestsOf(scenario)))
  const text = `# scenario, seed, digest at the start, digest after thirty days\n${lines.join('\n')}\n`
  await expect(text).toMatchFileSnapshot('fixtures/digests.txt')
  expect(new Set(lines.flatMap((line) => line.split(' ').slice(2))).size).toBe(lines.length * 2)
})
