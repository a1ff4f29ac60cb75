export { earlierLetter, inForms, type Letter, sentLetter } from './apply-forms.js'
export { fitsReply, type LetterFormName, letterFormNames } from './forms.js'
