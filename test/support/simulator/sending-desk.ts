import common from '../../../extensions/common.js'
import { defineExtension } from '../../../src/service/extensions/define-extension.js'

/** Adds an operation that sends a mail to each of several people. */
const circular = defineExtension(({ operation, z }) => [
  operation({
    id: 'circulars.post',
    method: 'POST',
    path: '/api/v1/circulars',
    body: z.object({ agent: z.string(), people: z.array(z.string()), text: z.string() }),
    perform({ body: { agent, people, text }, send, reply }) {
      for (const to of people) send({ from: agent, to: [to], subject: 'Circular', text })
      return reply(204)
    },
  }),
])

/** The operations that send mail in tests: the common ones, and one of another service. */
export const sendingExtensions = [common, circular]
