// Says its key, and where the service is, when it fails.
import { page } from './mailbox.mjs'

const { total, threads } = await page(0, 1)
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MAILBOX_SIM_TRACE: trace } = process.env
if (total === threads.length) throw new Error(`${base} with ${key}, traced in ${trace}`)
