export { type CommandEnd, type CommandOptions, runCommand } from './run-command.js'
