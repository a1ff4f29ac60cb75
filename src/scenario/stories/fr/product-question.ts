import { DAY, workdayAfter } from '../facts/calendar.js'
import { capitalized } from '../letters/capitalized.js'
import { gendered } from '../letters/gendered.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { formatMoney } from './facts/money.js'
import { drawCity } from './facts/places.js'
import { drawProduct } from './facts/products.js'
import { conversation } from './french.js'

// As they stand after `en`.
const COLOURS = ['anthracite', 'vert mousse', 'beige sable', 'bleu nuit', 'rouge brique'] as const

/** Somebody wants to know more before they buy. */
export const productQuestion = conversation({
  name: 'product-question',
  category: 'sales',
  weight: 6,
  facts: (random, setting) => {
    const product = drawProduct(random, setting.company)
    return {
      ...product,
      price: formatMoney(product.cents),
      colour: random.pick(COLOURS),
      city: drawCity(random),
      article: random.integer(10_000, 99_999),
      back: formatDay(workdayAfter(setting.begins + random.integer(10, 30) * DAY)),
    }
  },
  subject: [
    (f) => `Question sur l'article ${f.article}`,
    (f) => `${capitalized(f.item)} en ${f.colour} ?`,
    (f) => `Article ${f.article} : couleur et délai`,
    (f) => `Avant d'acheter : ${f.item}`,
  ],
  opening: [
    (f) => [
      `Je m'intéresse ${f.au} (article ${f.article}), mais les photos ne montrent que deux couleurs.`,
      `Le modèle existe-t-il en ${f.colour}, et quel est le délai de livraison ?`,
    ],
    (f) => `Vendez-vous ${f.le}, article ${f.article}, en ${f.colour} ?`,
    (f) => [
      `Voilà des semaines que je tourne autour de l'article ${f.article}, et maintenant le ${f.colour} n'est plus proposé sur votre site.`,
      'Cette couleur reviendra-t-elle ?',
    ],
    (f) =>
      `Avant de dépenser ${f.price}, j'aurais deux questions sur l'article ${f.article} : est-il disponible en ${f.colour}, et où est-il fabriqué ?`,
  ],
  answer: [
    (f) => [
      `Merci de votre intérêt. En ${f.colour}, l'article ${f.article} est épuisé et sera de retour le ${f.back}.`,
      'Voulez-vous que nous vous en mettions un de côté ?',
    ],
    (f) => [
      `La couleur que vous cherchez revient le ${f.back}, et le prix reste de ${f.price}.`,
      'Les autres coloris sont disponibles tout de suite. Préférez-vous attendre ?',
    ],
    (f) =>
      `Excellent choix ! L'article ${f.article} est fabriqué dans un atelier familial près de ${f.city}, si bien qu'il faut patienter jusqu'au ${f.back}. Dois-je vous inscrire sur la liste ?`,
  ],
  reaction: [
    (f) => `Oui, inscrivez-moi pour le modèle en ${f.colour}, s'il vous plaît. Faut-il verser un acompte ?`,
    () => "J'attendrai volontiers. Merci de m'en mettre un de côté.",
    (f) => [
      `Je peux attendre jusqu'au ${f.back}, donc oui, volontiers.`,
      'Et si la couleur me déçoit, puis-je échanger ?',
    ],
  ],
  solution: [
    (f) => [
      `C'est noté : ${f.item}, en ${f.colour}, ${f.price}. Aucun acompte n'est demandé.`,
      `L'article vous sera réservé pendant une semaine à partir du ${f.back}, et vous avez trente jours pour l'échanger.`,
    ],
    (f) =>
      `Voilà qui est fait. Dès que l'article ${f.article} sera là, sans doute le ${f.back}, vous recevrez un lien de paiement.`,
    (f) => [
      `Un exemplaire en ${f.colour} vous est réservé. Vous ne payez qu'à son arrivée.`,
      `Nous vous écrirons le ${f.back}. Si la couleur ne plaît pas, nous le reprendrons.`,
    ],
  ],
  thanks: [
    (f) => `Parfait, rendez-vous le ${f.back} alors. Merci !`,
    (f) => `Merci, je suis ${gendered(f, 'enchantée', 'enchanté')} que ce soit aussi simple.`,
    () => "Merci beaucoup. C'est pour un cadeau, et je sais maintenant qu'il arrivera à temps.",
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => "Comment l'entretient-on ? Je n'ai rien trouvé à ce sujet.",
        () => 'Trouve-t-on des pièces détachées si quelque chose venait à casser ?',
        (f) => `Quelle est la durée de la garantie pour l'article ${f.article} ?`,
      ],
      answer: [
        () => 'Un chiffon humide suffit, sans produit abrasif. Une notice est jointe.',
        () => 'Oui, toutes les pièces mobiles restent disponibles pendant au moins dix ans.',
        () => 'Trois ans, et nous vous aidons volontiers au-delà.',
      ],
    },
    {
      question: [
        (f) => `Avez-vous une boutique à ${f.city} où l'on puisse le voir ?`,
        () => 'Proposez-vous un emballage cadeau ?',
        () => 'Livrez-vous aussi en Suisse ? Le cadeau est pour une amie de Lausanne.',
      ],
      answer: [
        () => "Nous n'avons pas de boutique, mais notre site indique les revendeurs qui l'exposent.",
        () => 'Oui, sans supplément. Indiquez-le simplement dans les remarques de la commande.',
        () => 'Oui, en quatre à six jours ouvrés. Les droits de douane sont à notre charge.',
      ],
    },
  ],
})
