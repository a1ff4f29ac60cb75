// Thinks in the threads of a native module, of which Node lists nothing.
import { transform } from 'rolldown/experimental'
import { desk, MODEL, pause } from './desk.mjs'

const lines = 100 * Number(new URL(MODEL).searchParams.get('ms'))
const text = Array.from({ length: lines }, (_, index) => `export const x${index}: number = ${index}`).join(
  '\n',
)
const react = desk(() => transform('model.ts', text))
for (;;) {
  await react()
  await pause(3)
}
