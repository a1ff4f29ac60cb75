import { DAY, MINUTE, startOfDay, workdayAfter } from '../facts/calendar.js'
import { capitalized } from '../letters/capitalized.js'
import { plainFarewells } from './closing-words.js'
import { formatHour, formatWeekday } from './facts/dates.js'
import { conversation } from './french.js'

// All feminine, each beginning with a consonant: the wordings say `la` and `de la`.
const MEETINGS = [
  'réunion trimestrielle',
  'réunion de lancement',
  'revue de projet',
  'négociation du contrat',
  'réunion budgétaire',
  'visioconférence de suivi',
] as const
const REASONS = [
  'je dois me rendre au tribunal ce jour-là',
  'nos commissaires aux comptes se sont annoncés pour cette date',
  'mon vol de retour a été décalé',
  "l'école est fermée ce jour-là et je dois garder les enfants",
  "on m'a inscrit deux réunions à la même heure",
  "la moitié de l'équipe sera en formation",
] as const

/** Somebody asks to move a meeting. */
export const meetingReschedule = conversation({
  name: 'meeting-reschedule',
  category: 'calendar',
  weight: 4,
  facts: (random, setting) => {
    const oldDay = workdayAfter(startOfDay(setting.begins) + random.integer(6, 11) * DAY)
    const newDay = workdayAfter(oldDay + random.integer(1, 5) * DAY)
    return {
      meeting: random.pick(MEETINGS),
      reason: random.pick(REASONS),
      oldDay: formatWeekday(oldDay),
      oldTime: formatHour(random.integer(18, 32) * 30 * MINUTE),
      newDay: formatWeekday(newDay),
      newTime: formatHour(random.integer(18, 32) * 30 * MINUTE),
      code: random.integer(1_000, 9_999),
      guests: random.integer(3, 8),
    }
  },
  subject: [
    (f) => `Report de la ${f.meeting} du ${f.oldDay}`,
    (f) => `${capitalized(f.meeting)} : ${f.newDay} vous conviendrait ?`,
    (f) => `Changement de date : ${f.oldDay}, ${f.oldTime}`,
    (f) => `Empêchement pour la ${f.meeting}`,
  ],
  opening: [
    (f) => [
      `Je ne pourrai malheureusement pas assister à la ${f.meeting} du ${f.oldDay} à ${f.oldTime} : ${f.reason}.`,
      `Le ${f.newDay} à ${f.newTime} vous conviendrait-il ?`,
    ],
    (f) =>
      `Pouvons-nous déplacer la ${f.meeting} du ${f.oldDay}, ${f.oldTime}, au ${f.newDay}, ${f.newTime} ? Même lieu, et toujours ${f.guests} personnes.`,
    (f) => [
      `Vous n'allez pas m'aimer, après tout le mal que nous avons eu à trouver une date. Mais ${f.reason}, et le ${f.oldDay} tombe à l'eau.`,
      `J'ai sondé tout le monde : le ${f.newDay} conviendrait, de préférence à ${f.newTime}. Qu'en dit votre agenda ?`,
    ],
    (f) => [
      `Toutes mes excuses pour ce message tardif. J'ai un empêchement le ${f.oldDay} (${f.reason}).`,
      `Pourrions-nous trouver un autre créneau pour la ${f.meeting} ? Je propose le ${f.newDay} à ${f.newTime}.`,
    ],
  ],
  answer: [
    (f) => [
      `Aucun problème. Le ${f.newDay} à ${f.newTime} est libre de notre côté, j'y ai placé la ${f.meeting} à titre provisoire.`,
      `Dois-je inviter les mêmes ${f.guests} personnes, et garder une heure ?`,
    ],
    (f) => [
      `Merci de nous prévenir. J'ai libéré le ${f.oldDay} et noté le ${f.newDay} à ${f.newTime} au crayon.`,
      "Avant d'envoyer la nouvelle invitation : sur place comme prévu, ou en visioconférence ?",
    ],
    (f) =>
      `Cela nous convient. Je réserve le ${f.newDay} à partir de ${f.newTime}. Voulez-vous en profiter pour ajouter un point à l'ordre du jour ?`,
  ],
  reaction: [
    () =>
      "Le plus simple serait une visioconférence d'une heure, avec les mêmes personnes. Rien à ajouter à l'ordre du jour.",
    (f) =>
      `Les mêmes personnes, s'il vous plaît. En visioconférence, ce serait encore mieux : ${f.newTime}, c'est un peu juste avec le trajet.`,
    (f) =>
      `Très bien. Prévoyez dix minutes pour les questions de budget, et prévenez les autres que le ${f.oldDay} est annulé.`,
  ],
  solution: [
    (f) => [
      `L'invitation pour le ${f.newDay} à ${f.newTime} est partie, et l'ancienne date est annulée.`,
      `Ce sera une visioconférence ; le code d'accès est ${f.code}.`,
    ],
    (f) =>
      `Tout est changé : ${f.newDay} à ${f.newTime}, avec le code ${f.code}. Personne ne s'y est opposé jusqu'ici.`,
    (f) => [
      `J'ai envoyé la nouvelle date aux ${f.guests} participants et retiré le ${f.oldDay}.`,
      `Ceux qui ne peuvent pas se déplacer se connecteront avec le code ${f.code}. À bientôt !`,
    ],
  ],
  thanks: [
    (f) => `Invitation bien reçue, le ${f.newDay} est dans mon agenda. Merci !`,
    () => "C'est accepté. Vous m'épargnez un coup de fil bien embarrassant.",
    () => 'Merci, et encore toutes mes excuses pour le dérangement. Le prochain café est pour moi.',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => "Qui rédige le compte rendu cette fois ? C'est tombé sur moi les deux dernières.",
        (f) => `Dois-je préparer quelque chose pour la ${f.meeting} ?`,
        () => "Recevrons-nous un ordre du jour à l'avance ?",
      ],
      answer: [
        () => 'Nous nous en occupons. Apportez seulement les chiffres du dernier trimestre.',
        (f) =>
          `Seulement les chiffres de la dernière fois. Pour le compte rendu de la ${f.meeting}, nous avons quelqu'un.`,
        () => 'Oui, deux jours avant, avec les documents.',
      ],
    },
    {
      question: [
        (f) => `Le code ${f.code} est refusé. Y a-t-il un autre moyen de se connecter ?`,
        () => "L'un d'entre nous n'a jamais reçu l'invitation. Pourriez-vous la renvoyer à tout le monde ?",
        (f) => `Puis-je venir à la ${f.meeting} avec une collègue ?`,
      ],
      answer: [
        (f) => `Je viens de renvoyer l'invitation à tous. Le code reste ${f.code}, suivi de la touche dièse.`,
        () =>
          'Elle devrait être arrivée chez tous, avec un lien pour ceux qui préfèrent ne pas taper de code.',
        (f) => `Bien volontiers, le code ${f.code} vaut aussi pour elle.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'meeting.ics', filename: `reunion-${f.code}.ics` } : undefined,
})
