import type { Topic } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What people still write about once everything is settled, whatever it was. */
export const furtherTopics: readonly Topic<Circumstances>[] = [
  {
    question: [
      () => 'Une dernière question : ai-je encore quelque chose à faire de mon côté ?',
      () => 'Juste pour bien comprendre : attendez-vous encore quelque chose de ma part ?',
      () => "L'affaire est-elle close, ou vous faut-il encore un document ?",
    ],
    answer: [
      () => "Non, vous n'avez plus rien à faire. Tout est réglé chez nous.",
      () => "Nous n'attendons plus rien de vous. Si cela devait changer, nous écririons à cette adresse.",
      () => "Tout est réglé, vous pouvez classer l'affaire. Aucun document ne manque.",
    ],
  },
  {
    question: [
      () =>
        "Avez-vous un numéro de téléphone pour la prochaine fois ? Écrire n'est pas toujours pratique pour moi.",
      () => "Est-il possible de parler à quelqu'un de vive voix si le problème revient ?",
      () => 'Existe-t-il une assistance téléphonique, ou tout se passe-t-il par courriel ?',
    ],
    answer: [
      () =>
        'Le plus rapide reste le courriel, mais nous rappelons volontiers : envoyez-nous un numéro et une heure entre 9 h et 17 h.',
      () => [
        "Bien sûr. Indiquez-nous votre numéro et deux créneaux qui vous conviennent, et l'un de nous vous appellera.",
        'Pour tout ce qui porte une référence, le courriel reste le chemin le plus court.',
      ],
      () =>
        "Nous n'avons pas de ligne dédiée, mais nous rappelons du lundi au vendredi. Votre numéro suffit.",
    ],
  },
  {
    question: [
      () => "J'ai reçu une enquête au sujet de cet échange. Vient-elle vraiment de vous ?",
      () =>
        'Une enquête à votre nom est arrivée hier dans ma boîte. Est-elle authentique ? Je me méfie des liens.',
      () => "Le questionnaire que je viens de recevoir, est-ce vous qui l'avez envoyé ?",
    ],
    answer: [
      () =>
        'Oui, elle vient de nous. Elle compte trois questions, ne demande rien de personnel et reste facultative.',
      () =>
        "Vous avez raison de poser la question. L'enquête est authentique ; nous n'y demandons jamais ni mot de passe ni numéro de carte.",
      () => 'Il vient bien de nous. Si vous ne souhaitez pas répondre, supprimez simplement le message.',
    ],
  },
  {
    question: [
      () => "Quelle adresse électronique avez-vous pour moi ? J'en utilise deux et je m'y perds.",
      () => 'À quelle adresse mon compte est-il rattaché ? Vos messages arrivent tantôt ici, tantôt là.',
      () => 'Pourriez-vous vérifier laquelle de mes adresses figure dans votre fichier ?',
    ],
    answer: [
      ({ address }) => `Nous avons ${address}, et c'est là que partent tous nos messages.`,
      ({ address }) => [
        `La seule que nous ayons est ${address}.`,
        'Si vous en préférez une autre, écrivez-nous depuis la nouvelle et nous ferons le changement.',
      ],
      ({ address }) => `Il s'agit de ${address}. Vous pouvez la modifier à tout moment dans votre compte.`,
    ],
  },
  {
    question: [
      () => "Serez-vous joignables comme d'habitude pendant le prochain jour férié ?",
      () => "Petite question : quelqu'un lit-il cette boîte le week-end ?",
      () => "Et pendant les ponts, y a-t-il quelqu'un chez vous ?",
    ],
    answer: [
      () =>
        'Nous sommes fermés le dimanche et les jours fériés. Les messages de ces jours-là reçoivent une réponse le jour ouvré suivant.',
      () => "Quelqu'un y jette un œil le samedi matin ; le reste attend le lundi.",
      () => 'Oui, il y a toujours une permanence les jours ouvrés. Seul le dimanche reste calme.',
    ],
  },
  {
    question: [
      () => "J'ai déjà parlé de vous au bureau. Inutile de répondre, je tenais seulement à vous le dire.",
      () =>
        'Au fait, je vous ai laissé un avis. Quatre étoiles, la cinquième viendra avec une meilleure recherche sur le site.',
      () => 'On aimerait être toujours accueilli avec autant de gentillesse. Il fallait que ce soit dit.',
    ],
    answer: [
      () => "Vous venez d'illuminer notre après-midi. Merci !",
      () => "C'est très aimable à vous. J'ai transmis le message à toute l'équipe.",
      () => 'Un grand merci, ce sont des mots que nous lisons avec plaisir.',
    ],
  },
]
