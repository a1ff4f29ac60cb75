import { DAY } from '../facts/calendar.js'
import { formatMonth, formatWeekday } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCity } from './facts/places.js'
import { announcement } from './french.js'

const THEMES = [
  {
    title: 'Petits ateliers, longues journées',
    teaser: 'Nous avons rencontré trois personnes qui réparent ce que les autres jettent.',
  },
  {
    title: 'Ce que vous gardez sur votre bureau',
    teaser: 'Vous nous avez envoyé deux cents photos. Voici les neuf dont nous avons débattu.',
  },
  {
    title: 'Une brève histoire du colis',
    teaser: 'Elle commence par une ficelle, et la ficelle revient à la fin.',
  },
  {
    title: 'Acheter moins, choisir mieux',
    teaser: 'Quatre questions à se poser avant de remplir son panier.',
  },
  {
    title: 'La saison calme',
    teaser: 'Pourquoi le moment est idéal pour préparer la suite.',
  },
] as const
const OFFERS = [
  "la livraison offerte jusqu'à la fin du mois",
  'un carnet offert pour chaque commande',
  'dix pour cent sur le deuxième article',
  'une vente du soir réservée à nos lecteurs',
] as const

/** A shop's letter to its readers. */
export const newsletter = announcement({
  name: 'newsletter',
  category: 'newsletters',
  weight: 4,
  colour: '#2f5d50',
  html: 1,
  htmlOnly: 0.12,
  facts: (random, setting) => ({
    ...random.pick(THEMES),
    offer: random.pick(OFFERS),
    shop: drawShop(random),
    city: drawCity(random),
    issue: random.integer(12, 190),
    month: formatMonth(setting.begins),
    evening: formatWeekday(setting.begins + random.integer(6, 20) * DAY),
    reader: random.integer(100_000, 999_999),
  }),
  from: (f) => ({ name: f.shop.name, address: `lettre@${f.shop.domain}` }),
  subject: [
    (f) => `${f.title} | ${f.shop.name}, lettre n° ${f.issue}`,
    (f) => `${f.shop.name} en ${f.month} : ${f.title}`,
    (f) => `N° ${f.issue} : ${f.offer}`,
    (f) => `Nos nouvelles en ${f.month} | ${f.shop.name}`,
  ],
  first: [
    (f) => [
      { heading: f.title },
      `Chère lectrice, cher lecteur, voici notre lettre n° ${f.issue}. ${f.teaser}`,
      link(f.shop.domain, f.issue, "Lire toute l'histoire"),
      { heading: 'Ce mois-ci en boutique' },
      `Notre cadeau en ${f.month} : ${f.offer}. Aucun code n'est nécessaire, il suffit de vous connecter avec cette adresse.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `Bonjour depuis ${f.city}` },
      `Les dernières semaines ont été bien remplies. ${f.teaser} C'est le sujet de notre lettre n° ${f.issue}, avec une surprise : ${f.offer}.`,
      link(f.shop.domain, f.issue, `« ${f.title} »`),
      `Le ${f.evening}, la boutique de ${f.city} reste ouverte jusqu'à 21 h. Il y aura de la soupe.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}, ${f.month}` },
      {
        rows: [
          ['Lettre', `n° ${f.issue}`],
          ['À la une', f.title],
          ['Pour vous', f.offer],
        ],
      },
      f.teaser,
      link(f.shop.domain, f.issue, 'Ouvrir la lettre'),
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: 'Trois minutes de lecture' },
      `1. ${f.title}. ${f.teaser}`,
      `2. Dans nos archives : l'article que vous avez le plus ouvert l'an dernier.`,
      `3. Et en ${f.month}, ${f.offer}. La lettre n° ${f.issue} vous dit comment.`,
      link(f.shop.domain, f.issue, 'Commencer par le premier'),
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Rectificatif' },
        `Dans la lettre n° ${f.issue}, un lien menait à la mauvaise page. Celui-ci est le bon, et un thé attend qui l'a remarqué en premier.`,
        link(f.shop.domain, f.issue, f.title),
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: "Au cas où vous l'auriez manquée" },
        `Il y a quelques jours, nous vous avons envoyé « ${f.title} ». L'offre tient toujours : ${f.offer}.`,
        link(f.shop.domain, f.issue, 'Y jeter un œil'),
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'Vos réponses' },
        `La lettre n° ${f.issue} nous a valu plus de courrier que jamais. Les plus belles réponses sont en ligne, avec les seuls prénoms.`,
        link(f.shop.domain, f.issue, 'Lire les réponses'),
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'logo.png', filename: `couverture-${f.issue}.png` } : undefined,
})

function link(domain: string, issue: number, label: string) {
  return { link: `https://${domain}/lettres/${issue}`, label }
}

function unsubscribe(shop: string, domain: string, reader: number) {
  return {
    small: `Vous recevez cette lettre à la suite de votre inscription chez ${shop}. Pour ne plus la recevoir : https://${domain}/desinscription?lecteur=${reader}`,
  }
}
