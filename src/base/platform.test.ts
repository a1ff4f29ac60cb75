import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it.each([
  ['18.20.8', 'agent-mailbox-sim needs Node 20.19 or later; this is Node 18.20.8.'],
  ['20.18.3', 'agent-mailbox-sim needs Node 20.19 or later; this is Node 20.18.3.'],
  ['20.19.0', undefined],
  ['26.0.0', undefined],
  [undefined, undefined],
])('loads in a release that it supports, and says which it needs in others: %s', async (node, refusal) => {
  vi.resetModules()
  vi.stubGlobal('process', { ...process, versions: { node } })
  const loaded = import('./platform.js').then(
    () => undefined,
    ({ message }) => message,
  )
  expect(await loaded).toBe(refusal)
})
