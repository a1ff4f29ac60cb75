// Fails every other time it is run, for no reason at all.
import { appendFileSync, readFileSync } from 'node:fs'
import { page } from './mailbox.mjs'

appendFileSync(process.env.RUNS, '.')
await page(0)
if (readFileSync(process.env.RUNS, 'utf8').length % 2 === 0) throw new Error('the moon is full')
