import { defineLanguage } from '../language.js'
import { german } from './language.js'

/** What the German kinds are made with. */
export const { conversation, announcement } = defineLanguage(german)
