export { compileKind, type GeneratedThread, type MailKind, type Setting } from './kinds.js'
export { compileLanguage, createPersonDraw, type Language } from './language.js'
export { mailCategories } from './schema.js'
export { locales, type ShippedLetters, shippedAttachments, shippedLetters } from './shipped.js'
