export { Judge } from './judge.js'
