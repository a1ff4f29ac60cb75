import { supportFarewells, supportThanks } from './closing-words.js'
import type { Thing } from './facts/nouns.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './french.js'

const REASONS: readonly ((thing: Thing) => string)[] = [
  ({ il, e }) => `${il} est nettement plus petit${e} que sur les photos`,
  () => "la couleur n'a rien à voir avec la photo",
  () => 'ma sœur nous avait déjà acheté le même modèle',
  ({ il }) => `${il} ne va pas à l'endroit prévu`,
  ({ il }) => `${il} me paraît bien fragile pour ce prix`,
  ({ il }) => `nous n'en avons finalement plus besoin, et ${il} n'a pas servi`,
]
const DAYS = ['trois', 'quatre', 'cinq'] as const

/** A customer sends something back and wants the money. */
export const refundRequest = conversation({
  name: 'refund-request',
  category: 'support',
  weight: 9,
  facts: (random, setting) => {
    const purchase = drawPurchase(random, setting)
    return {
      ...purchase,
      reason: random.pick(REASONS)(purchase),
      carrier: drawCarrier(random),
      returnNumber: `R-${random.integer(10_000, 99_999)}`,
      days: random.pick(DAYS),
    }
  },
  subject: [
    (f) => `Remboursement de la commande ${f.order}`,
    (f) => `Retour : ${f.item} (${f.order})`,
    (f) => `Demande de retour, commande ${f.order}`,
    (f) => `Rétractation, commande ${f.order}`,
  ],
  opening: [
    (f) => [
      `Je souhaite retourner ${f.le} de la commande ${f.order}. La livraison a eu lieu le ${f.arrived}, mais ${f.reason}.`,
      `L'article est comme neuf, dans son emballage. Comment récupérer mes ${f.price} ?`,
    ],
    (f) => `Merci de me rembourser la commande ${f.order} (${f.item}, ${f.price}). La raison : ${f.reason}.`,
    (f) => [
      `La livraison a été rapide et l'emballage très soigné, je tiens à le dire. Mais ${f.reason}.`,
      `Reprenez-vous l'article ? Le numéro de commande est ${f.order}. Seul le chat a dormi dans le carton.`,
    ],
    (f) => [
      "J'ai cherché en vain sur votre site comment renvoyer un article.",
      `Il s'agit de la commande ${f.order}, livrée le ${f.arrived} : ${f.reason}. Quelle est la marche à suivre ?`,
    ],
    (f) => [
      `Par la présente, j'exerce mon droit de rétractation pour la commande ${f.order} (${f.item}).`,
      `Je demande le remboursement intégral de ${f.price}, et non un bon d'achat.`,
    ],
  ],
  answer: [
    (f) => [
      `Aucun souci, vous avez trente jours. J'ai ouvert le retour ${f.returnNumber} pour la commande ${f.order}.`,
      `Inscrivez ce numéro sur le carton et déposez-le dans un point ${f.carrier} ; le port est payé. Les ${f.price} vous seront rendus dès son arrivée.`,
    ],
    (f) => [
      `C'est dommage, mais cela arrive. Votre numéro de retour pour la commande ${f.order} est ${f.returnNumber}.`,
      `${f.carrier} peut passer prendre le colis chez vous (${f.street}, ${f.city}), ou vous le déposez vous-même. Les deux sont gratuits.`,
    ],
    (f) =>
      `Bien entendu. Remettez l'article dans son emballage, notez ${f.returnNumber} à l'extérieur et confiez le tout à ${f.carrier}. Nous remboursons ${f.price} le jour de la réception.`,
  ],
  reaction: [
    (f) =>
      `J'ai déposé le colis hier au point ${f.carrier}, ici à ${f.city}. Quand puis-je compter sur le remboursement ?`,
    (f) => [
      `Le retour ${f.returnNumber} est parti la semaine dernière, et j'ai gardé le reçu.`,
      'Je ne vois encore rien sur mon compte. Pourriez-vous vérifier ?',
    ],
    (f) =>
      `Le colis est en route, avec ${f.returnNumber} inscrit sur deux côtés par précaution. Le remboursement ira-t-il sur la carte qui a servi au paiement ?`,
  ],
  solution: [
    (f) => [
      `Votre colis est bien arrivé et tout est en ordre. Je viens de valider le remboursement de ${f.price}.`,
      `Il se fait sur la carte utilisée et apparaît en général sous ${f.days} jours ouvrés.`,
    ],
    (f) =>
      `Le retour ${f.returnNumber} est arrivé ce matin, et ${f.price} sont en route vers votre carte. Comptez jusqu'à ${f.days} jours ouvrés selon la banque.`,
    (f) => [
      "L'article est revenu en parfait état, merci de l'avoir si bien emballé.",
      `Nous vous avons remboursé ${f.price} en totalité. La banque demande ${f.days} jours ouvrés.`,
    ],
  ],
  thanks: [
    (f) => `Les ${f.price} sont arrivés aujourd'hui. Merci, c'était vraiment simple.`,
    () => 'Le remboursement est sur mon compte. Merci !',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Pour mes dossiers, pourriez-vous m'attester par écrit que la commande ${f.order} a été remboursée ?`,
        (f) =>
          `Ma banque indique seulement « crédit ». Pouvez-vous confirmer que les ${f.price} viennent de vous ?`,
        (f) => `Recevrai-je un avoir pour le retour ${f.returnNumber} ?`,
      ],
      answer: [
        (f) =>
          `Volontiers : la commande ${f.order} a été remboursée en totalité, soit ${f.price}, sous le retour ${f.returnNumber}. L'avoir figure dans votre compte.`,
        (f) =>
          `Nous le confirmons : ${f.price} au titre de la commande ${f.order}, retour ${f.returnNumber}. Ce message vaut justificatif.`,
        (f) =>
          `Oui, l'avoir du retour ${f.returnNumber} est déjà dans votre compte, à la rubrique « Commandes ».`,
      ],
    },
    {
      question: [
        () => 'Auriez-vous un modèle semblable à me conseiller ?',
        () => 'Si je commande autre chose, les trente jours repartent-ils de zéro ?',
        (f) => `Existe-t-il un format plus grand ${f.du} ? L'idée nous plaisait bien.`,
      ],
      answer: [
        () =>
          "Regardez les deux suggestions en bas de la page du produit : c'est ce que choisissent la plupart de nos clients. Les trente jours valent aussi pour elles.",
        () => 'Oui, chaque commande a ses propres trente jours à partir de la livraison.',
        () => 'Pas pour le moment. Un format plus grand est prévu pour le printemps.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'receipt.pdf', filename: `justificatif-${f.order}.pdf` }
      : undefined,
})
