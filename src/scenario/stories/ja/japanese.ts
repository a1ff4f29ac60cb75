import { defineLanguage } from '../language.js'
import { japanese } from './language.js'

/** What the Japanese kinds are made with. */
export const { conversation, announcement } = defineLanguage(japanese)
