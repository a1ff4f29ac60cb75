// Goes wrong only where times have no milliseconds and `total` does not tell that there are more.
import { page } from './mailbox.mjs'

const { threads, total } = await page(0, 10)
if (total === threads.length && !threads[0].created_at.includes('.')) throw new Error('lost count of time')
