import { defineLanguage } from '../language.js'
import { portuguese } from './language.js'

/** What the Brazilian kinds are made with. */
export const { conversation, announcement } = defineLanguage(portuguese)
