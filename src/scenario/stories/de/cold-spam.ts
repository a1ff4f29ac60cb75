import { capitalized } from '../letters/capitalized.js'
import { plainLetters } from '../people.js'
import { announcement } from './german.js'

const OFFERS = [
  {
    trade: 'Suchmaschinenoptimierung',
    promise: 'in sechs Wochen auf Seite eins stehen',
    domain: 'seitesofort.example',
  },
  { trade: 'Adresslisten', promise: '40.000 Entscheider erreichen', domain: 'leadschleuse.example' },
  { trade: 'Firmenkredite', promise: 'innerhalb von drei Tagen flüssig sein', domain: 'geldkai.example' },
  { trade: 'Webdesign', promise: 'den Umsatz Ihrer Webseite verdoppeln', domain: 'pixelscheune.example' },
  { trade: 'Kundenservice', promise: 'sechzig Prozent der Kosten einsparen', domain: 'bueroferne.example' },
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
    (f) => `Kurze Frage an ${f.company}`,
    (f) => `${f.trade} für ${f.company}`,
    () => 'Haben Sie das gesehen?',
    (f) => `${f.minutes} Minuten diese Woche?`,
    () => 'Re: unser Gespräch',
  ],
  first: [
    (f) => [
      'Hallo,',
      `zufällig bin ich auf ${f.company} gestoßen und war beeindruckt. Firmen wie Ihre haben meist nur ein Problem, und das heißt ${f.trade}.`,
      `Mit uns können Sie ${f.promise}. Hätten Sie am Donnerstag ${f.minutes} Minuten für mich?`,
      signature(f),
    ],
    (f) => [
      'Sehr geehrte Damen und Herren,',
      `hoffentlich geht es Ihnen gut! Mein Name ist ${f.fullName}, und ich bin Ihr Partner für ${f.trade}.`,
      `Was wäre, wenn Sie ${f.promise} könnten? Kein Risiko, kein Vertrag, Erfolg garantiert. Antworten Sie einfach mit JA.`,
      signature(f),
    ],
    (f) => [
      'Guten Tag,',
      `ich will ganz offen sein: Ihre Mitbewerber nutzen unser Angebot rund um ${f.trade} längst. Auch Sie könnten damit ${f.promise}.`,
      { link: `https://${f.domain}/termin?dauer=${f.minutes}`, label: 'Wunschtermin aussuchen' },
      signature(f),
    ],
    (f) => [
      'Hallo,',
      `vielleicht sind Sie bei ${f.company} gar nicht zuständig. Leiten Sie diese Mail dann bitte an die Person weiter, die sich um ${f.trade} kümmert?`,
      `In einem Satz: Mit uns können Sie ${f.promise}.`,
      signature(f),
    ],
  ],
  next: [
    [
      (f) => [
        'Hallo noch einmal,',
        `ich schiebe meine Mail nur kurz wieder nach oben. ${f.minutes} Minuten, mehr will ich gar nicht.`,
        signature(f),
      ],
      (f) => [
        'Guten Tag,',
        `leider habe ich nichts von Ihnen gehört. Entweder haben Sie viel zu tun, oder Sie können schon ${f.promise}. Was davon stimmt?`,
        signature(f),
      ],
      (f) => [
        'Hallo,',
        `das ist meine letzte Mail, versprochen. Wenn ${f.trade} bei ${f.company} gerade kein Thema ist, soll ich mich im nächsten Quartal wieder melden?`,
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
