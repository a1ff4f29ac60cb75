import type { Words } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What customers say when their trouble is over, whatever it was. */
export const supportThanks: readonly Words<Circumstances>[] = [
  () => 'damit ist alles geklärt. Vielen Dank für die schnelle Hilfe!',
  () => 'danke, mehr wollte ich gar nicht.',
  () => 'vielen Dank, dass Sie sich gekümmert haben. Man merkt, dass bei Ihnen jemand mitliest.',
  ({ company }) => `wunderbar, vielen Dank. Bei ${company} bestelle ich gern wieder.`,
]

/** How the agent takes leave of a customer whose trouble is over. */
export const supportFarewells: readonly Words<Circumstances>[] = [
  () =>
    'gern geschehen, und danke für Ihre Geduld. Wenn noch etwas ist, antworten Sie einfach auf diese Mail.',
  () =>
    'schön, dass wir helfen konnten. Ich schließe den Vorgang; mit einer Antwort von Ihnen ist er wieder offen.',
  ({ company }) => `danke für die Rückmeldung. Das ganze Team von ${company} wünscht Ihnen eine gute Woche.`,
  () => 'das freut uns. Sie erreichen uns an Werktagen von 9 bis 17 Uhr, falls noch Fragen auftauchen.',
]

/** How the agent ends an exchange in which nothing was wrong. */
export const plainFarewells: readonly Words<Circumstances>[] = [
  () => 'gern geschehen. Sollte sich etwas ändern, genügt eine kurze Antwort auf diese Mail.',
  ({ company }) => `vielen Dank und beste Grüße von allen bei ${company}.`,
  () => 'ist notiert, vielen Dank. Wir melden uns, falls wir noch etwas brauchen.',
  () => 'danke für die schnellen Antworten, das hat es uns leicht gemacht.',
]
