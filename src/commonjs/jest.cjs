const { mailboxMatchers } = require('./index.cjs')
const { listen } = require('./node.cjs')

expect.extend(mailboxMatchers)

exports.useMailbox = function useMailbox(options) {
  let simulator
  let mailbox
  beforeAll(async () => {
    simulator = await listen(options)
  })
  beforeEach(() => {
    mailbox = simulator.fork()
  })
  afterEach(() => mailbox.close())
  afterAll(() => simulator.close())
  return () => mailbox
}
