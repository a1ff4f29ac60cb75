import { DAY, workdayAfter } from '../facts/calendar.js'
import { capitalized } from '../letters/capitalized.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { formatMoney } from './facts/money.js'
import { drawCity } from './facts/places.js'
import { drawProduct } from './facts/products.js'
import { conversation } from './german.js'

const COLOURS = ['Anthrazit', 'Moosgrün', 'Sandbeige', 'Nachtblau', 'Ziegelrot'] as const

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
      weeks: random.integer(2, 6),
      article: random.integer(10_000, 99_999),
      back: formatDay(workdayAfter(setting.begins + random.integer(10, 30) * DAY)),
    }
  },
  subject: [
    (f) => `Frage zu „${f.item}“`,
    (f) => `${f.item} in ${f.colour}?`,
    (f) => `Artikel ${f.article}: Lieferzeit und Farbe`,
    (f) => `Vor dem Kauf: ${f.item}`,
  ],
  opening: [
    (f) => [
      `ich interessiere mich für ${f.den} (Artikel ${f.article}). Auf den Bildern sehe ich nur Hell und Dunkel.`,
      `Gibt es ${f.ihn} auch in ${f.colour}, und wie lange ist die Lieferzeit?`,
    ],
    (f) => `gibt es ${f.den}, Artikel ${f.article}, auch in ${f.colour}?`,
    (f) => [
      `seit Wochen schleiche ich um ${f.den} herum, Artikel ${f.article}, und nun ist ${f.colour} auf Ihrer Seite nicht mehr wählbar.`,
      'Kommt die Farbe noch einmal wieder?',
    ],
    (f) => [
      `bevor ich ${f.price} ausgebe, hätte ich zwei Fragen zu Artikel ${f.article}: Ist die Farbe ${f.colour} lieferbar, und wo werden die Sachen hergestellt?`,
    ],
  ],
  answer: [
    (f) => [
      `vielen Dank für Ihr Interesse. In ${f.colour} ist Artikel ${f.article} gerade ausverkauft und ab dem ${f.back} wieder da.`,
      'Soll ich Ihnen ein Exemplar zurücklegen?',
    ],
    (f) => [
      `${f.colour} kommt wieder, und zwar am ${f.back}; der Preis bleibt bei ${f.price}.`,
      'In den übrigen Farben liefern wir sofort. Möchten Sie warten oder lieber eine andere?',
    ],
    (f) =>
      `gute Wahl! Artikel ${f.article} wird in einem Familienbetrieb bei ${f.city} gefertigt, deshalb dauert ${f.colour} noch bis zum ${f.back}. Darf ich Sie vormerken?`,
  ],
  reaction: [
    (f) => `ja, bitte merken Sie mich für ${f.colour} vor. Muss ich etwas anzahlen?`,
    () => 'ich warte gern. Bitte eines für mich zurücklegen.',
    (f) => [
      `bis zum ${f.back} kann ich warten, also bitte vormerken.`,
      `Und falls mir ${f.colour} in echt nicht gefällt: Kann ich umtauschen?`,
    ],
  ],
  solution: [
    (f) => [
      `Sie sind vorgemerkt: ${f.item} in ${f.colour}, ${f.price}. Eine Anzahlung ist nicht nötig.`,
      `Ab dem ${f.back} halten wir die Ware eine Woche lang für Sie bereit, umtauschen können Sie dreißig Tage lang.`,
    ],
    (f) =>
      `erledigt. Sobald Artikel ${f.article} in ${f.colour} da ist, bekommen Sie einen Link zum Bezahlen, voraussichtlich am ${f.back}.`,
    (f) => [
      `ein Exemplar in ${f.colour} ist für Sie zurückgelegt. Bezahlt wird erst, wenn es da ist.`,
      `Wir schreiben Ihnen am ${f.back}. Gefällt es nicht, nehmen wir es zurück.`,
    ],
  ],
  thanks: [
    (f) => `wunderbar, dann freue ich mich auf den ${f.back}. Vielen Dank!`,
    () => 'danke, so unkompliziert hätte ich mir das gar nicht vorgestellt.',
    (f) =>
      `vielen Dank. ${capitalized(f.der)} ist ein Geschenk, und jetzt weiß ich, dass es rechtzeitig klappt.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'wie reinigt man das am besten? Dazu habe ich nichts gefunden.',
        () => 'gibt es Ersatzteile dafür, falls einmal etwas kaputtgeht?',
        (f) => `wie lange geben Sie auf Artikel ${f.article} Garantie?`,
      ],
      answer: [
        () => 'ein feuchtes Tuch genügt, bitte ohne Scheuermittel. Eine Anleitung liegt bei.',
        () => 'ja, alle beweglichen Teile gibt es mindestens zehn Jahre lang einzeln.',
        () => 'drei Jahre, und auch danach helfen wir gern weiter.',
      ],
    },
    {
      question: [
        (f) => `haben Sie in ${f.city} ein Geschäft, in dem man sich das ansehen kann?`,
        () => 'verpacken Sie auf Wunsch auch als Geschenk?',
        () => 'liefern Sie auch in die Schweiz? Dort wohnt die Beschenkte.',
      ],
      answer: [
        () =>
          'ein eigenes Geschäft haben wir nicht, aber auf unserer Seite steht, welche Händler die Sachen zeigen.',
        () => 'ja, ohne Aufpreis. Schreiben Sie es bei der Bestellung einfach ins Bemerkungsfeld.',
        () => 'ja, in vier bis sechs Werktagen. Den Zoll übernehmen wir.',
      ],
    },
  ],
})
