import type { Words } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'
import { gendered } from '../letters/gendered.js'

/** What customers say when their trouble is over, whatever it was. */
export const supportThanks: readonly Words<Circumstances>[] = [
  () => "Parfait, tout est réglé. Merci pour l'aide rapide !",
  () => "Merci, c'est exactement ce qu'il me fallait.",
  (f) => `Merci d'avoir pris le temps de tout vérifier, je suis ${gendered(f, 'rassurée', 'rassuré')}.`,
  ({ company }) => `Très bien, merci beaucoup. Je commanderai de nouveau chez ${company}.`,
]

/** How the agent takes leave of a customer whose trouble is over. */
export const supportFarewells: readonly Words<Circumstances>[] = [
  () => 'Avec plaisir, et merci de votre patience. En cas de besoin, il suffit de répondre à ce message.',
  () => "Ravis d'avoir pu vous aider. Nous fermons la demande ; une réponse de votre part la rouvrira.",
  ({ company }) => `Merci de votre retour. Toute l'équipe ${company} vous souhaite une bonne semaine.`,
  () => 'Nous en sommes ravis. Vous pouvez nous joindre du lundi au vendredi, de 9 h à 17 h.',
]

/** How the agent ends an exchange in which nothing was wrong. */
export const plainFarewells: readonly Words<Circumstances>[] = [
  () => 'Je vous en prie. Si quelque chose change, répondez simplement à ce message.',
  ({ company }) => `Merci à vous, et meilleures salutations de toute l'équipe ${company}.`,
  () => "C'est noté, merci. Nous vous écrirons s'il nous manque quelque chose.",
  () => 'Merci pour vos réponses rapides, cela nous a bien facilité la tâche.',
]
