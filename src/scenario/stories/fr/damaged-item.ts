import { capitalized } from '../letters/capitalized.js'
import { gendered } from '../letters/gendered.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './french.js'

const DAMAGES = [
  'une fissure traverse tout le dessous',
  'un des coins est enfoncé',
  'une profonde rayure barre tout le devant',
  "quelque chose s'est détaché à l'intérieur et fait du bruit",
  'un morceau gros comme mon pouce est cassé',
] as const
const BOXES = [
  "De l'extérieur, le carton paraissait intact.",
  'Le carton avait été ouvert puis refermé avec du ruban adhésif.',
  'Un côté du carton était trempé.',
  "Il n'y avait presque rien pour caler l'article dans le carton.",
] as const

/** Something that arrives broken. */
export const damagedItem = conversation({
  name: 'damaged-item',
  category: 'support',
  weight: 8,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    damage: random.pick(DAMAGES),
    box: random.pick(BOXES),
  }),
  subject: [
    (f) => `${capitalized(f.item)} : article endommagé, commande ${f.order}`,
    (f) => `Réclamation, commande ${f.order}`,
    (f) => `Article abîmé à la livraison (${f.order})`,
    (f) => `Problème avec la commande ${f.order}`,
  ],
  opening: [
    (f) => [
      `${capitalized(f.le)} est bien arrivé${f.e} le ${f.arrived}, mais ${f.damage}.`,
      `${f.box} Le numéro de commande est ${f.order}. Comment procédons-nous ?`,
    ],
    (f) =>
      `Je viens d'ouvrir la commande ${f.order} et ${f.damage}. ${f.box} Pour ${f.price}, je m'attendais à mieux.`,
    (f) => [
      `J'étais vraiment ${gendered(f, 'ravie', 'ravi')} de recevoir la commande ${f.order}, d'où ma déception : ${f.damage}.`,
      `${f.box} Je ne pense pas que ce soit votre faute, mais l'article est inutilisable en l'état.`,
    ],
    (f) => [
      `Commande ${f.order}, livrée le ${f.arrived} : ${f.damage}. ${f.box}`,
      "Merci d'envoyer un remplacement. Je peux prendre des photos au besoin.",
    ],
    (f) => [
      `Le colis est arrivé le ${f.arrived}, mais nous ne l'avons déballé qu'hier soir. L'article est abîmé : ${f.damage}.`,
      `Est-il trop tard pour le signaler ? C'était la commande ${f.order}.`,
    ],
  ],
  answer: [
    (f) => [
      `Nous en sommes désolés, un colis ne devrait jamais arriver ainsi. Votre réclamation pour la commande ${f.order} nous parvient dans les délais.`,
      `Souhaitez-vous un remplacement ou le remboursement de ${f.price} ? Dans les deux cas, gardez le carton jusqu'à nouvel ordre.`,
    ],
    (f) => [
      `Merci de nous avoir prévenus aussitôt. J'ai signalé le dommage au transporteur sous la référence ${f.order}.`,
      "Une photo du dommage et une de l'étiquette nous suffisent. Dois-je faire partir un remplacement ?",
    ],
    (f) =>
      `Cet article n'aurait pas dû nous quitter dans cet état, ou voyager aussi mal. Dites-moi ce que vous préférez, un exemplaire neuf ou un remboursement de ${f.price}, et je m'en occupe aujourd'hui.`,
  ],
  reaction: [
    () => "Un remplacement, s'il vous plaît. J'ai pris des photos de trois côtés et gardé le carton.",
    (f) => `Plutôt un remplacement que l'argent. L'adresse ne change pas : ${f.street}, ${f.city}.`,
    () => [
      "Un remplacement, mais à condition que quelqu'un le vérifie avant l'envoi.",
      "Et que faire de l'exemplaire abîmé ? Il encombre l'entrée.",
    ],
  ],
  solution: [
    (f) => [
      `Un exemplaire neuf part aujourd'hui pour ${f.street}, ${f.city}, et une collègue l'a contrôlé.`,
      "Inutile de renvoyer l'ancien. Vous pourrez le recycler dès l'arrivée du nouveau.",
    ],
    (f) =>
      `C'est fait : le remplacement de la commande ${f.order} est emballé, cette fois dans un carton plus solide, et sera chez vous sous trois jours ouvrés. Le livreur reprendra l'ancien.`,
    () => [
      'Merci de votre réponse. Le remplacement est commandé et porte la mention « fragile ».',
      "Vous n'avez rien à payer, et l'exemplaire abîmé est à vous.",
    ],
  ],
  thanks: [
    (f) => `${capitalized(f.le)} est là et, cette fois, impeccable. Merci !`,
    () => 'Le remplacement est arrivé, tout va bien. Merci de ne pas en avoir fait toute une histoire.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () =>
          "Une remarque sur l'emballage : l'article bouge dans ce carton. Un peu de papier sur les côtés suffirait.",
        () =>
          "Si cela peut vous aider, le dommage se trouvait du côté de la grande flèche. Le carton a peut-être voyagé à l'envers ?",
        (f) => `Puis-je donner l'exemplaire abîmé de la commande ${f.order} au lieu de le jeter ?`,
      ],
      answer: [
        () => "C'est une remarque utile, je l'ai transmise à l'équipe d'emballage.",
        () => "Bien vu. Le responsable de l'entrepôt vous remercie et y veillera.",
        () => 'Avec plaisir, tant que personne ne risque de se blesser.',
      ],
    },
    {
      question: [
        (f) => `La garantie court-elle à partir du ${f.arrived} ou de l'arrivée du remplacement ?`,
        () => 'Me faut-il une nouvelle facture pour le remplacement, à cause de la garantie ?',
        (f) => `Le remplacement porte-t-il le même numéro ${f.order} dans mon compte ?`,
      ],
      answer: [
        () => 'À partir du jour où le remplacement a été livré. Les deux dates figurent chez nous.',
        (f) => `Non, le numéro ${f.order} suffit comme preuve. La garantie part du remplacement.`,
        (f) => `Oui, il est rattaché à ${f.order}, avec sa date de livraison.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `dommage-${f.order}-${index + 1}.png` }
      : undefined,
})
