import { DAY } from '../facts/calendar.js'
import { formatDay, formatMonth } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCity } from './facts/places.js'
import { announcement } from './german.js'

const THEMES = [
  {
    title: 'Kleine Werkstätten, lange Tage',
    teaser: 'Wir haben drei Menschen besucht, die reparieren, was andere wegwerfen.',
  },
  {
    title: 'Was auf Ihren Schreibtischen steht',
    teaser: 'Zweihundert Fotos haben Sie uns geschickt. Über diese neun haben wir gestritten.',
  },
  {
    title: 'Eine kurze Geschichte des Pakets',
    teaser: 'Sie beginnt mit einer Schnur, und am Ende kommt die Schnur zurück.',
  },
  {
    title: 'Weniger kaufen, besser wählen',
    teaser: 'Vier Fragen, bevor etwas im Warenkorb landet.',
  },
  { title: 'Die stille Zeit', teaser: 'Warum gerade jetzt die beste Zeit zum Planen ist.' },
] as const
const OFFERS = [
  'versandkostenfrei bis zum Monatsende',
  'ein Notizbuch zu jeder Bestellung',
  'zehn Prozent auf das zweite Stück',
  'ein Abendverkauf nur für Leserinnen und Leser',
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
    evening: formatDay(setting.begins + random.integer(6, 20) * DAY),
    reader: random.integer(100_000, 999_999),
  }),
  from: (f) => ({ name: f.shop.name, address: `post@${f.shop.domain}` }),
  subject: [
    (f) => `${f.title} | ${f.shop.name}, Brief Nr. ${f.issue}`,
    (f) => `${f.shop.name} im ${f.month}: ${f.title}`,
    (f) => `Nr. ${f.issue}: ${f.offer}`,
    (f) => `Der ${f.month} bei ${f.shop.name}`,
  ],
  first: [
    (f) => [
      { heading: f.title },
      `Liebe Leserin, lieber Leser, dies ist unser Brief Nr. ${f.issue}. ${f.teaser}`,
      link(f.shop.domain, f.issue, 'Die ganze Geschichte lesen'),
      { heading: 'Neu im Laden' },
      `Unser Geschenk im ${f.month}: ${f.offer}. Einen Code brauchen Sie nicht, melden Sie sich einfach mit dieser Adresse an.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `Grüße aus ${f.city}` },
      `Der ${f.month} war turbulent. ${f.teaser} Davon und von unserem Angebot (${f.offer}) handelt Brief Nr. ${f.issue}.`,
      link(f.shop.domain, f.issue, `„${f.title}“`),
      `Am ${f.evening} bleibt der Laden in ${f.city} bis 21 Uhr offen. Es gibt Suppe.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}, ${f.month}` },
      {
        rows: [
          ['Brief', `Nr. ${f.issue}`],
          ['Titelgeschichte', f.title],
          ['Für Sie', f.offer],
        ],
      },
      f.teaser,
      link(f.shop.domain, f.issue, 'Den Brief öffnen'),
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: 'Drei Minuten Lektüre' },
      `1. ${f.title}. ${f.teaser}`,
      `2. Aus dem Archiv von ${f.shop.name}: der Beitrag, den Sie im letzten Jahr am häufigsten geöffnet haben.`,
      `3. Im ${f.month} gibt es: ${f.offer}. Brief Nr. ${f.issue} verrät, wie.`,
      link(f.shop.domain, f.issue, 'Mit dem ersten anfangen'),
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Eine Berichtigung' },
        `In Brief Nr. ${f.issue} führte ein Link auf die falsche Seite. Dieser hier stimmt, und wer es zuerst gemerkt hat, bekommt von uns einen Tee.`,
        link(f.shop.domain, f.issue, f.title),
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'Falls Sie es verpasst haben' },
        `Vor ein paar Tagen haben wir Ihnen „${f.title}“ geschickt. Das Angebot gilt noch: ${f.offer}.`,
        link(f.shop.domain, f.issue, 'Noch einmal ansehen'),
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'Ihre Antworten' },
        `Auf Brief Nr. ${f.issue} haben uns so viele geschrieben wie lange nicht. Die schönsten Zuschriften stehen jetzt auf unserer Seite, nur mit Vornamen.`,
        link(f.shop.domain, f.issue, 'Lesen, was andere schreiben'),
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'logo.png', filename: `Titelbild-${f.issue}.png` } : undefined,
})

function link(domain: string, issue: number, label: string) {
  return { link: `https://${domain}/briefe/${issue}`, label }
}

function unsubscribe(shop: string, domain: string, reader: number) {
  return {
    small: `Sie bekommen diesen Brief, weil Sie ihn bei ${shop} bestellt haben. Abmelden: https://${domain}/abmelden?leser=${reader}`,
  }
}
