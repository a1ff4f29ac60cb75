import { capitalized } from '../letters/capitalized.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './german.js'

const DAMAGES = [
  'quer über die Unterseite läuft ein Riss',
  'eine Ecke ist eingedrückt',
  'über die ganze Vorderseite zieht sich ein tiefer Kratzer',
  'innen hat sich etwas gelöst und klappert',
  'ein daumengroßes Stück ist abgebrochen',
] as const
const BOXES = [
  'Von außen sah der Karton tadellos aus.',
  'Der Karton war geöffnet und wieder zugeklebt worden.',
  'Eine Seite des Kartons war durchnässt.',
  'Im Karton war so gut wie kein Füllmaterial.',
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
    (f) => `${f.item} beschädigt angekommen, Bestellung ${f.order}`,
    (f) => `Reklamation zu Bestellung ${f.order}`,
    (f) => `Transportschaden: ${f.order}`,
    (f) => `Ware defekt (${f.order})`,
  ],
  opening: [
    (f) => [
      `am ${f.arrived} kam ${f.der} an, aber leider nicht heil: ${capitalized(f.damage)}.`,
      `${f.box} Die Bestellnummer ist ${f.order}. Wie gehen wir jetzt vor?`,
    ],
    (f) =>
      `gerade habe ich Bestellung ${f.order} ausgepackt, und ${f.damage}. ${f.box} Für ${f.price} hatte ich mehr erwartet.`,
    (f) => [
      `auf ${f.den} aus Bestellung ${f.order} hatte ich mich wirklich gefreut, umso trauriger ist es: ${capitalized(f.damage)}.`,
      `${f.box} Ihnen mache ich keinen Vorwurf, aber so kann ich mit der Ware nichts anfangen.`,
    ],
    (f) => [
      `zu Bestellung ${f.order}, geliefert am ${f.arrived}: ${capitalized(f.damage)}. ${f.box}`,
      'Bitte schicken Sie Ersatz. Fotos kann ich gern machen.',
    ],
    (f) => [
      `das Paket kam schon am ${f.arrived}, ausgepackt haben wir es aber erst gestern Abend. ${capitalized(f.der)} ist beschädigt, ${f.damage}.`,
      `Ist es für eine Reklamation zu spät? Es war Bestellung ${f.order}.`,
    ],
  ],
  answer: [
    (f) => [
      `das tut mir leid, so sollte bei Ihnen nichts ankommen. Ihre Meldung zu ${f.order} ist rechtzeitig da.`,
      `Möchten Sie Ersatz oder die ${f.price} zurück? Heben Sie den Karton bitte in jedem Fall auf, bis alles geklärt ist.`,
    ],
    (f) => [
      `danke, dass Sie sich gleich gemeldet haben. Den Schaden an Bestellung ${f.order} habe ich dem Zusteller gemeldet.`,
      'Ein Foto vom Schaden und eines vom Aufkleber genügen uns. Soll ich Ersatz losschicken?',
    ],
    (f) =>
      `so hätte das nicht bei uns hinausgehen dürfen. Sagen Sie mir, was Ihnen lieber ist: ein neues Exemplar oder eine Erstattung von ${f.price}. Ich erledige das noch heute.`,
  ],
  reaction: [
    () => 'bitte Ersatz. Fotos habe ich von drei Seiten gemacht, und der Karton steht noch im Flur.',
    (f) => `lieber Ersatz als das Geld. Die Adresse bleibt ${f.street}, ${f.city}.`,
    (f) => [
      'Ersatz, bitte, aber nur, wenn vor dem Versand jemand einen Blick darauf wirft.',
      `Und was mache ich mit ${f.dem}? Wegwerfen mag ich nichts ohne Ihr Wort.`,
    ],
  ],
  solution: [
    (f) => [
      `heute geht ein neues Exemplar an ${f.street} in ${f.city}, eine Kollegin hat es vorher geprüft.`,
      'Das beschädigte brauchen Sie nicht zurückzuschicken. Bitte entsorgen Sie es, sobald das neue da ist.',
    ],
    (f) =>
      `erledigt: Der Ersatz für Bestellung ${f.order} ist gepackt, diesmal in einem stabileren Karton, und in drei Werktagen bei Ihnen. Das alte Stück nimmt der Fahrer mit.`,
    () => [
      'vielen Dank. Der Ersatz ist bestellt und als zerbrechlich gekennzeichnet.',
      'Es entstehen Ihnen keine Kosten, und das beschädigte Stück dürfen Sie entsorgen.',
    ],
  ],
  thanks: [
    (f) => `${f.der} ist da und diesmal ohne Makel. Vielen Dank!`,
    () => 'der Ersatz ist angekommen, alles bestens. Danke, dass Sie kein großes Thema daraus gemacht haben.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () =>
          'ein Gedanke zur Verpackung: Im Karton ist viel Luft. Etwas Papier an den Seiten würde schon helfen.',
        () =>
          'falls es Ihnen hilft: Der Schaden war auf der Seite mit dem großen Pfeil. Vielleicht stand das Paket auf dem Kopf?',
        (f) => `dürfen wir die beschädigte Ware aus ${f.order} verschenken, statt sie zu entsorgen?`,
      ],
      answer: [
        () => 'danke für den Hinweis, ich habe ihn an die Packerei weitergegeben.',
        () => 'gut beobachtet. Der Lagerleiter lässt danken und achtet bei der nächsten Lieferung darauf.',
        () => 'sehr gern, solange sich niemand daran verletzen kann.',
      ],
    },
    {
      question: [
        (f) => `gilt die Garantie ab dem ${f.arrived} oder ab der Ersatzlieferung?`,
        () => 'brauche ich für den Ersatz eine neue Rechnung, der Garantie wegen?',
        (f) => `steht der Ersatz unter derselben Nummer ${f.order} in meinem Konto?`,
      ],
      answer: [
        () => 'sie beginnt mit dem Tag, an dem der Ersatz geliefert wurde. Beides ist bei uns vermerkt.',
        (f) => `nein, die Bestellnummer ${f.order} genügt als Nachweis. Die Garantie zählt ab dem Ersatz.`,
        (f) => `ja, der Ersatz hängt an ${f.order}. Dort sehen Sie auch das Lieferdatum.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `Schaden-${f.order}-${index + 1}.png` }
      : undefined,
})
