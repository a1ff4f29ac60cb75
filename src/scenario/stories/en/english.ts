import { defineLanguage } from '../language.js'
import { english } from './language.js'

/** What the English kinds are made with. */
export const { conversation, announcement } = defineLanguage(english)
