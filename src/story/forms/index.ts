export { earlierLetter, inForms, type Letter, sentLetter } from './apply-forms.js'
export { fitsReply, forms, type LetterForm, type LetterFormName, letterFormNames } from './forms.js'
