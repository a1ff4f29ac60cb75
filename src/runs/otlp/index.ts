export { SpanExport } from './span-export.js'
