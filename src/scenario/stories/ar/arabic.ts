import { defineLanguage } from '../language.js'
import { arabic } from './language.js'

/** What the Arabic kinds are made with. */
export const { conversation, announcement } = defineLanguage(arabic)
