import { defineLanguage } from '../language.js'
import { french } from './language.js'

/** What the French kinds are made with. */
export const { conversation, announcement } = defineLanguage(french)
