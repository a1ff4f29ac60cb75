// Polls with `fetch`, and pauses between two rounds.
import { desk, pause } from './desk.mjs'

const react = desk()
for (;;) {
  await react()
  await pause(0.2)
}
