import { DAY, workdayAfter } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { formatMoney } from './facts/money.js'
import { drawCity } from './facts/places.js'
import { drawProduct } from './facts/products.js'
import { conversation } from './french.js'

const OCCASIONS = [
  'pour nos nouveaux bureaux',
  "comme cadeau de fin d'année pour le personnel",
  "pour l'ouverture de notre second magasin",
  "pour nos chambres d'hôtes",
  "pour l'anniversaire de l'entreprise",
] as const

/** A firm asks what many of one thing would cost. */
export const bulkQuote = conversation({
  name: 'bulk-quote',
  category: 'sales',
  weight: 6,
  facts: (random, setting) => {
    const { name } = drawEmployer(random)
    const product = drawProduct(random, setting.company)
    const count = random.integer(3, 24) * 5
    const percent = random.integer(5, 15)
    const piece = Math.round((product.cents * (100 - percent)) / 100)
    return {
      ...product,
      firm: name,
      role: drawRole(random),
      occasion: random.pick(OCCASIONS),
      count,
      percent,
      price: formatMoney(product.cents),
      piece: formatMoney(piece),
      total: formatMoney(piece * count),
      quote: numberOfYear('DE', random, setting.begins),
      city: drawCity(random),
      needed: formatDay(workdayAfter(setting.begins + random.integer(25, 50) * DAY)),
      valid: formatDay(workdayAfter(setting.begins + random.integer(14, 21) * DAY)),
    }
  },
  subject: [
    (f) => `Demande de prix : ${f.count} × ${f.item}`,
    (f) => `Devis pour ${f.count} exemplaires (${f.item})`,
    (f) => `${f.firm} : demande de devis`,
    (f) => `Tarif dégressif pour « ${f.item} » ?`,
  ],
  opening: [
    (f) => [
      `Nous recherchons, ${f.occasion}, ${f.count} exemplaires ${f.du}.`,
      `Que pouvez-vous nous proposer ? La livraison devrait se faire à ${f.city} avant le ${f.needed}.`,
    ],
    (f) =>
      `Merci de nous établir un devis pour ${f.count} exemplaires ${f.du}, livrés à ${f.city} avant le ${f.needed}.`,
    (f) => [
      `Nous avons commandé ${f.le} à l'essai, et tout le monde est conquis. Il nous en faudrait maintenant ${f.count}, ${f.occasion}.`,
      `Votre site indique ${f.price} pièce. Pour une telle quantité, un geste doit être possible ?`,
    ],
    (f) => [
      `Je réunis en ce moment trois devis : ${f.count} exemplaires ${f.du} ou équivalent, ${f.occasion}.`,
      `Le prix rendu à ${f.city} et une livraison avant le ${f.needed} feront la différence.`,
    ],
  ],
  answer: [
    (f) => [
      `Merci de votre demande. Pour ${f.count} pièces, nous accordons ${f.percent} % de remise, soit ${f.piece} au lieu de ${f.price}.`,
      'Avant de rédiger le devis : souhaitez-vous une seule livraison ou deux ?',
    ],
    (f) => [
      `Très volontiers. Pour ${f.count} pièces, nous arrivons à ${f.piece} pièce et ${f.total} au total, port compris jusqu'à ${f.city}.`,
      "Faut-il décharger au quai, ou livrer à l'étage ?",
    ],
    (f) =>
      `Merci d'avoir pensé à nous. Les ${f.count} pièces seront prêtes avant le ${f.needed}, au prix de ${f.piece} pièce. Y a-t-il des contraintes pour la livraison à ${f.city} ?`,
  ],
  reaction: [
    () => 'Une seule livraison, au rez-de-chaussée. Il y a un quai au fond de la cour.',
    (f) =>
      `Une seule livraison pour ${f.firm} suffit, notre cour est accessible aux camions. Peut-on encore faire un effort sur le prix ?`,
    (f) => [
      "Une livraison, le matin entre 8 h et 12 h, car il y a alors toujours quelqu'un.",
      `Le prix de ${f.piece} s'entend-il hors taxes ?`,
    ],
  ],
  solution: [
    (f) => [
      `Voici notre devis ${f.quote} : ${f.count} pièces à ${f.piece}, soit ${f.total} hors taxes.`,
      `Nous vous réservons la marchandise jusqu'au ${f.valid}.`,
    ],
    (f) =>
      `Vous trouverez ci-joint le devis ${f.quote} de ${f.total} hors taxes. Nous ne pouvons aller au-delà de ${f.percent} %, mais le port est offert. Il est valable jusqu'au ${f.valid}.`,
    (f) => [
      `Le devis ${f.quote} est prêt : ${f.total} hors taxes pour ${f.count} pièces, livrées avant le ${f.needed}.`,
      `Un simple accord par retour de courriel avant le ${f.valid} suffit.`,
    ],
  ],
  thanks: [
    (f) => `Bon pour accord sur le devis ${f.quote}. Merci de nous envoyer une confirmation.`,
    (f) => `La direction a donné son accord : ${f.count} pièces selon le devis ${f.quote}, s'il vous plaît.`,
    (f) => `Merci, le devis ${f.quote} est le meilleur des trois. Nous commandons.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `Pouvons-nous ajouter cinq pièces au devis ${f.quote} ?`,
        () => 'La livraison se fait-elle sur palettes, et les reprenez-vous ?',
        (f) =>
          `Quel jour exactement la livraison arrivera-t-elle à ${f.city} ? Je dois prévoir quelqu'un dans la cour.`,
      ],
      answer: [
        (f) => `Volontiers, au même prix de ${f.piece} pièce. Je modifie la commande.`,
        () => 'Sur deux palettes, que le chauffeur reprend aussitôt.',
        () => "Le transporteur vous appellera la veille pour convenir d'un créneau de deux heures.",
      ],
    },
    {
      question: [
        () => 'Serait-il possible de faire imprimer notre logo ?',
        () => 'Combien de temps ce prix vaut-il pour les réassorts ?',
        () => 'Quel délai de paiement accordez-vous ?',
      ],
      answer: [
        () =>
          'Oui, en une couleur et sans supplément à partir de cinquante pièces. Il nous faut un fichier vectoriel.',
        () => 'Le prix reste valable six mois pour les commandes suivantes.',
        () => "Trente jours nets, ou huit jours avec deux pour cent d'escompte.",
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) => {
    if (index === 0) return { fixture: 'orders.csv', filename: 'liste-des-besoins.csv' }
    return index === 3 ? { fixture: 'invoice.pdf', filename: `devis-${f.quote}.pdf` } : undefined
  },
})
