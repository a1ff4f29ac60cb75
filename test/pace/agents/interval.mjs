// Looks twice a minute, by setInterval.
import { desk } from './desk.mjs'

const react = desk()
let busy = false
const look = async () => {
  if (busy) return
  busy = true
  await react()
  busy = false
}
setInterval(look, 30_000)
look()
