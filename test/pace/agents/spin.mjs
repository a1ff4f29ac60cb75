// Polls without any pause.
import { desk } from './desk.mjs'

const react = desk()
for (;;) await react()
