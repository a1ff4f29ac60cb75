import { expect, it } from 'vitest'
import { atATime } from './at-a-time.js'

/** Something that others wait for until it is told to be over. */
function createGate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

it('gives the results in the order of the items, however they end', async () => {
  const gate = createGate()
  const results = await atATime(2, [1, 2, 3], async (item) => {
    if (item === 1) await gate.passed
    if (item === 3) gate.open()
    return 10 * item
  })
  expect(results).toEqual([10, 20, 30])
})

it('never does more at a time than it may, and begins with the first', async () => {
  let now = 0
  let most = 0
  const begun: number[] = []
  await atATime(3, [0, 1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item)
    most = Math.max(most, ++now)
    await Promise.resolve()
    now--
  })
  expect(most).toBe(3)
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

it('begins nothing more once something fails, and waits for what is under way', async () => {
  const gate = createGate()
  const ended: string[] = []
  const all = atATime(2, ['fails', 'takes long', 'never begun'], async (item) => {
    if (item === 'fails') throw new Error('no')
    await gate.passed
    ended.push(item)
  })
  gate.open()
  await expect(all).rejects.toThrow('no')
  expect(ended).toEqual(['takes long'])
})
