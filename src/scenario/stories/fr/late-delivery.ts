import { DAY, workdayAfter } from '../facts/calendar.js'
import { trackingNumber } from '../facts/order-number.js'
import { capitalized } from '../letters/capitalized.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawCarrier, drawCity } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './french.js'

/** A parcel that does not come. */
export const lateDelivery = conversation({
  name: 'late-delivery',
  category: 'support',
  weight: 10,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    carrier: drawCarrier(random),
    tracking: trackingNumber(random),
    depot: drawCity(random),
    due: formatDay(workdayAfter(setting.begins + random.integer(5, 8) * DAY)),
  }),
  subject: [
    (f) => `Commande ${f.order} non reçue`,
    (f) => `Où est mon colis ? (${f.order})`,
    (f) => `Retard de livraison, commande ${f.order}`,
    (f) => `${capitalized(f.item)} : toujours rien (${f.order})`,
  ],
  opening: [
    (f) => [
      `Ma commande ${f.order} du ${f.ordered} devait arriver le ${f.arrived}, et je n'ai toujours rien reçu.`,
      `Il s'agit ${f.du}, à ${f.price}. Pourriez-vous vérifier où se trouve le colis ?`,
    ],
    (f) => `Où en est ma commande ${f.order} ? La livraison était annoncée pour le ${f.arrived}.`,
    (f) => [
      `D'après le suivi, mon colis est à ${f.depot} depuis plusieurs jours et ne bouge plus.`,
      `Commande ${f.order}, numéro de suivi ${f.tracking}. ${capitalized(f.le)} devait être un cadeau, c'est donc un peu urgent.`,
    ],
    (f) => [
      `J'ai commandé ${f.un} chez vous le ${f.ordered} et rien n'est arrivé à ce jour.`,
      `Chez ${f.carrier}, le suivi ${f.tracking} indique seulement « en cours de traitement ». Mon numéro de commande est ${f.order}.`,
    ],
    (f) => [
      `J'ai trouvé avant-hier un avis de passage de ${f.carrier}, mais au point relais personne n'a entendu parler de mon colis.`,
      `Ce doit être la commande ${f.order} (${f.item}). Que dois-je faire ?`,
    ],
  ],
  answer: [
    (f) => [
      `Merci de votre message. Votre commande ${f.order} est partie à temps de notre entrepôt, mais elle est bloquée depuis deux jours à ${f.depot}.`,
      `J'ai ouvert une réclamation auprès de ${f.carrier} pour le colis ${f.tracking}. L'adresse ${f.street} à ${f.city} est-elle toujours la bonne ?`,
    ],
    (f) => [
      `Nous regrettons ce retard. J'ai interrogé ${f.carrier} au sujet du colis ${f.tracking} et j'attends une réponse demain.`,
      `Pourriez-vous me confirmer l'adresse en attendant : ${f.street}, ${f.city} ?`,
    ],
    (f) =>
      `Cela n'aurait pas dû arriver, veuillez nous excuser : votre colis a été mal trié à ${f.depot}. Si l'adresse ${f.street} à ${f.city} convient toujours, je le fais réacheminer.`,
  ],
  reaction: [
    () => "Oui, l'adresse est correcte. Tenez-moi au courant dès que vous en savez plus.",
    (f) => [
      `${f.street}, c'est bien cela, et le nom figure sur la sonnette.`,
      `Si l'attente se prolonge, je préférerais toutefois annuler la commande ${f.order}.`,
    ],
    () => "L'adresse n'a pas changé. Quand puis-je espérer recevoir mon colis ?",
  ],
  solution: [
    (f) => [
      `Bonne nouvelle : ${f.carrier} a retrouvé le colis à ${f.depot} et le livrera le ${f.due}.`,
      'Pour ce retard, nous vous remboursons les frais de port.',
    ],
    (f) =>
      `Le colis ${f.tracking} est reparti et devrait être chez vous le ${f.due}. Dans le cas contraire, nous vous en envoyons un autre le jour même.`,
    (f) => [
      `Plutôt que d'attendre, nous avons renvoyé aujourd'hui votre commande ${f.order} en express, pour une livraison le ${f.due}.`,
      'Si le premier colis refaisait surface, merci de le refuser.',
    ],
  ],
  thanks: [
    (f) => `${capitalized(f.le)} est arrivé${f.e} ce matin en parfait état. Merci pour vos efforts !`,
    () => "Le colis est là. Merci d'avoir suivi l'affaire jusqu'au bout.",
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Le suivi ${f.tracking} affiche toujours « en cours de traitement ». Dois-je faire quelque chose ?`,
        (f) => `Je viens de recevoir un nouvel avis pour ${f.tracking}. Un second colis est-il en route ?`,
        () => 'Puis-je demander la prochaine fois une livraison directement en point relais ?',
      ],
      answer: [
        (f) =>
          `Non, c'est seulement l'affichage qui tarde. Le colis ${f.tracking} est bien noté comme livré chez nous.`,
        (f) =>
          `Non, c'était le même envoi. Le dossier ${f.tracking} est clos, vous pouvez supprimer le message.`,
        () =>
          'Oui, le point relais peut être enregistré dans votre compte ; il sera proposé à la prochaine commande.',
      ],
    },
    {
      question: [
        (f) => `La facture de la commande ${f.order} n'était pas dans le colis. Pouvez-vous me l'envoyer ?`,
        (f) => `Le délai de retour court-il à partir du ${f.arrived} ou de la livraison réelle ?`,
        () => 'Livrez-vous aussi en Belgique ? Ma sœur aimerait le même modèle.',
      ],
      answer: [
        (f) =>
          `La facture de la commande ${f.order} est dans votre compte, et une copie vient de vous être envoyée.`,
        () => 'Il court à partir du jour où vous avez vraiment reçu le colis, et dure trente jours.',
        () => 'Oui, en trois à cinq jours ouvrés et au même prix.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `suivi-${f.tracking}.png` }
      : undefined,
})
