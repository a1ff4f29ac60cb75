export { importMailbox } from './import-mailbox.js'
