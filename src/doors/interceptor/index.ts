export { type ListeningSimulator, listen } from './node.js'
