import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { uniqueMark } from '../../world/index.js'
import { runCommand } from './run-command.js'

vi.mock('./process-table.js', async (load) => ({ ...(await load<object>()), hasProcessTable: false }))

let mark = ''

beforeEach(() => {
  mark = uniqueMark()
})

afterEach(async () => {
  const { findKin } = await import('./process-table.js')
  expect(findKin({ group: -1, mark: `TEST_MARK=${mark}` })).toEqual([])
})

const shell = (script: string, more: object = {}) =>
  runCommand(['sh', '-c', script], { ...more, env: { TEST_MARK: mark } })

it('a system that does not tell of its processes still has all of a group ended', async () => {
  const end = await shell('sleep 1000 & sleep 1000 & echo done')
  expect(end).toMatchObject({ ended: 'by-itself', status: 0, output: 'done' })
  expect(end.notes).toEqual(['It left a process running, which was ended.'])
})

it('and killed, where it does not hear', async () => {
  const end = await shell("trap '' TERM; while :; do sleep 1000; done", { timeLimit: 100, grace: 50 })
  expect(end).toMatchObject({ ended: 'time-limit', signal: 'SIGKILL' })
})
