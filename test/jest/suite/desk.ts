import { defineScenario } from 'agent-mailbox-sim'

export default defineScenario({ scenario: 'typed desk', identities: [{ handle: 'typed' as string }] })
