// Tries again after its model refuses, after 0.3 s and then after 0.6 s; writes how long that took, by its own clock.
import { desk, MODEL, pause } from './desk.mjs'

const react = desk(async () => {
  const start = performance.now()
  for (let wait = 0.3; ; wait *= 2) {
    const response = await fetch(`${MODEL}&refuse=2`, { method: 'POST', body: '{}' })
    await response.text()
    if (response.ok) break
    await pause(wait)
  }
  process.stdout.write(`thought for ${Math.round(performance.now() - start)} ms\n`)
})
for (;;) {
  await react()
  await pause(2)
}
