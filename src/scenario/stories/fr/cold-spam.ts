import { capitalized } from '../letters/capitalized.js'
import { plainLetters } from '../people.js'
import { announcement } from './french.js'

const OFFERS = [
  {
    trade: 'référencement',
    promise: 'atteindre la première page en six semaines',
    domain: 'premierepage.example',
  },
  { trade: "fichiers d'adresses", promise: 'toucher 40 000 décideurs', domain: 'contacts-a-gogo.example' },
  {
    trade: 'crédit aux entreprises',
    promise: 'obtenir de la trésorerie en trois jours',
    domain: 'quai-capital.example',
  },
  {
    trade: 'création de sites',
    promise: 'doubler les revenus de votre site',
    domain: 'grange-a-pixels.example',
  },
  {
    trade: 'externalisation',
    promise: 'économiser soixante pour cent sur le service client',
    domain: 'bureau-lointain.example',
  },
] as const
const MINUTES = [10, 15, 20] as const

/** Offers that nobody asked for. */
export const coldSpam = announcement({
  name: 'cold-spam',
  category: 'spam',
  weight: 3,
  colour: '#b00020',
  html: 0.5,
  htmlOnly: 0.2,
  facts: (random, setting) => {
    const { firstName, fullName } = setting.person(random)
    return { ...random.pick(OFFERS), firstName, fullName, minutes: random.pick(MINUTES) }
  },
  from: (f) => ({ name: f.fullName, address: `${plainLetters(f.firstName)}@${f.domain}` }),
  subject: [
    (f) => `Une petite question pour ${f.company}`,
    (f) => `${f.company} et ${f.trade}`,
    () => 'Avez-vous vu ceci ?',
    (f) => `${f.minutes} minutes cette semaine ?`,
    () => 'Re: notre conversation',
  ],
  first: [
    (f) => [
      'Bonjour,',
      `J'ai découvert par hasard ${f.company}, et quelle bonne surprise ! Les entreprises comme la vôtre n'ont souvent qu'un souci, et il s'appelle ${f.trade}.`,
      `Avec nous, vous pouvez ${f.promise}. Auriez-vous ${f.minutes} minutes jeudi ?`,
      signature(f),
    ],
    (f) => [
      'Madame, Monsieur,',
      `J'espère que vous allez bien ! Je m'appelle ${f.fullName}, et je vous propose mes services : ${f.trade}.`,
      `Et si vous pouviez ${f.promise} ? Sans risque, sans engagement, résultat garanti. Répondez simplement OUI.`,
      signature(f),
    ],
    (f) => [
      'Bonjour,',
      `Parlons franchement : vos concurrents nous ont déjà choisis (${f.trade}). Vous aussi, vous pouvez ${f.promise}.`,
      { link: `https://${f.domain}/rendez-vous?duree=${f.minutes}`, label: 'Choisir un créneau' },
      signature(f),
    ],
    (f) => [
      'Bonjour,',
      `Vous n'êtes peut-être pas la bonne personne chez ${f.company}. Pourriez-vous transmettre ce message à votre responsable (sujet : ${f.trade}) ?`,
      `En une phrase : nous vous aidons à ${f.promise}.`,
      signature(f),
    ],
  ],
  next: [
    [
      (f) => [
        'Re-bonjour,',
        `Je fais simplement remonter mon message. ${f.minutes} minutes, je n'en demande pas plus.`,
        signature(f),
      ],
      (f) => [
        'Bonjour,',
        `Sans nouvelles de vous, je suppose que vous êtes débordés, ou que vous savez déjà ${f.promise}. Laquelle des deux ?`,
        signature(f),
      ],
      (f) => [
        'Bonjour,',
        `C'est mon dernier message, promis. Si le moment est mal choisi pour ${f.company}, dois-je réessayer au prochain trimestre ?`,
        signature(f),
      ],
    ],
  ],
})

interface Pitch {
  readonly fullName: string
  readonly trade: string
  readonly domain: string
}

function signature({ fullName, trade, domain }: Pitch): string {
  return `${fullName}\n${capitalized(trade)} | https://${domain}`
}
