// Reads the answer of its model piece by piece.
import { desk, MODEL, pause } from './desk.mjs'

const react = desk(async () => {
  const response = await fetch(`${MODEL}&stream=1`, { method: 'POST', body: '{}' })
  for await (const _ of response.body) await Promise.resolve()
})
for (;;) {
  await react()
  await pause(1)
}
