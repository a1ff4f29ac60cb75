import { DAY, workdayAfter } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { formatMoney } from './facts/money.js'
import { drawCity } from './facts/places.js'
import { drawProduct } from './facts/products.js'
import { conversation } from './german.js'

const OCCASIONS = [
  'für unser neues Büro',
  'als Weihnachtsgeschenk für die Belegschaft',
  'für die Eröffnung unserer zweiten Filiale',
  'für unsere Gästezimmer',
  'zum Betriebsjubiläum',
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
      quote: numberOfYear('AN', random, setting.begins),
      city: drawCity(random),
      needed: formatDay(workdayAfter(setting.begins + random.integer(25, 50) * DAY)),
      valid: formatDay(workdayAfter(setting.begins + random.integer(14, 21) * DAY)),
    }
  },
  subject: [
    (f) => `Anfrage: ${f.count} Stück „${f.item}“`,
    (f) => `Angebot für ${f.count} × ${f.item}`,
    (f) => `${f.firm}: Bitte um ein Angebot`,
    (f) => `Mengenrabatt für „${f.item}“?`,
  ],
  opening: [
    (f) => [
      `wir suchen ${f.occasion} ${f.count} Stück „${f.item}“.`,
      `Was können Sie uns dafür anbieten? Gebraucht wird die Ware bis zum ${f.needed} in ${f.city}.`,
    ],
    (f) =>
      `bitte machen Sie uns ein Angebot über ${f.count} Stück „${f.item}“, Lieferung nach ${f.city} bis zum ${f.needed}.`,
    (f) => [
      `${f.den} haben wir zur Probe bestellt, und alle sind angetan. Nun brauchen wir ${f.occasion} gleich ${f.count} davon.`,
      `Auf Ihrer Seite steht ein Stückpreis von ${f.price}. Da ist bei dieser Menge doch sicher noch etwas möglich?`,
    ],
    (f) => [
      `ich hole gerade drei Angebote ein: ${f.count} Stück „${f.item}“ oder etwas Vergleichbares, ${f.occasion}.`,
      `Entscheidend sind der Preis frei Haus ${f.city} und die Lieferung bis zum ${f.needed}.`,
    ],
  ],
  answer: [
    (f) => [
      `vielen Dank für Ihre Anfrage. Bei ${f.count} Stück geben wir ${f.percent} Prozent Rabatt, das sind ${f.piece} statt ${f.price} je Stück.`,
      'Bevor ich das Angebot schreibe: Liefern wir alles auf einmal oder in zwei Teilen?',
    ],
    (f) => [
      `sehr gern. Für ${f.count} Stück kommen wir auf ${f.piece} je Stück und ${f.total} insgesamt, frei Haus ${f.city}.`,
      'Sollen wir die Ware an der Rampe abladen, oder brauchen Sie eine Lieferung bis ins Haus?',
    ],
    (f) =>
      `danke, dass Sie an uns gedacht haben. ${f.count} Stück haben wir bis zum ${f.needed} da; der Stückpreis wäre ${f.piece}. Gibt es bei der Anlieferung in ${f.city} etwas zu beachten?`,
  ],
  reaction: [
    () => 'alles auf einmal, bitte, und ebenerdig. Eine Rampe gibt es hinten im Hof.',
    (f) =>
      `eine Lieferung genügt, der Hof in ${f.city} ist mit dem LKW erreichbar. Lässt sich beim Preis noch etwas machen?`,
    (f) => [
      'eine Anlieferung, vormittags zwischen 8 und 12 Uhr, dann ist immer jemand im Hof.',
      `Ist der Preis von ${f.piece} mit oder ohne Mehrwertsteuer?`,
    ],
  ],
  solution: [
    (f) => [
      `anbei unser Angebot ${f.quote}: ${f.count} Stück zu je ${f.piece}, zusammen ${f.total} zuzüglich Mehrwertsteuer.`,
      `Wir halten die Ware bis zum ${f.valid} für Sie zurück.`,
    ],
    (f) =>
      `im Anhang finden Sie ${f.quote} über ${f.total} netto. ${f.percent} Prozent sind unser bestes Wort, dafür ist die Lieferung nach ${f.city} frei. Das Angebot gilt bis zum ${f.valid}.`,
    (f) => [
      `das Angebot ${f.quote} ist fertig: ${f.total} netto für ${f.count} Stück, Lieferung rechtzeitig vor dem ${f.needed}.`,
      `Eine kurze Zusage per Mail bis zum ${f.valid} genügt uns.`,
    ],
  ],
  thanks: [
    (f) => `hiermit nehmen wir Ihr Angebot ${f.quote} an. Bitte schicken Sie uns eine Auftragsbestätigung.`,
    (f) => `die Geschäftsleitung hat zugestimmt: ${f.count} Stück gemäß ${f.quote}, bitte.`,
    (f) => `vielen Dank, ${f.quote} ist das beste der drei Angebote. Wir bestellen.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `können wir die Menge aus ${f.quote} noch um fünf Stück erhöhen?`,
        (f) => `kommt die Lieferung zu ${f.quote} auf Paletten, und nehmen Sie die wieder mit?`,
        (f) =>
          `wann genau treffen die ${f.count} Stück in ${f.city} ein? Ich muss jemanden für den Hof einteilen.`,
      ],
      answer: [
        (f) => `gern, zum selben Stückpreis von ${f.piece}. Ich passe den Auftrag an.`,
        () => 'auf zwei Paletten, und der Fahrer nimmt sie gleich wieder mit.',
        () => 'die Spedition ruft am Tag vorher an und nennt Ihnen ein Zeitfenster von zwei Stunden.',
      ],
    },
    {
      question: [
        () => 'wäre es möglich, unser Logo aufdrucken zu lassen?',
        () => 'wie lange gewähren Sie den Preis für Nachbestellungen?',
        () => 'mit welchem Zahlungsziel dürfen wir rechnen?',
      ],
      answer: [
        () => 'ja, ab fünfzig Stück einfarbig ohne Aufpreis. Wir brauchen dafür nur eine Vektordatei.',
        () => 'der Preis gilt für Nachbestellungen ein halbes Jahr lang.',
        () => 'dreißig Tage netto, bei Zahlung innerhalb von acht Tagen mit zwei Prozent Skonto.',
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) => {
    if (index === 0) return { fixture: 'orders.csv', filename: 'Bedarfsliste.csv' }
    return index === 3 ? { fixture: 'invoice.pdf', filename: `Angebot-${f.quote}.pdf` } : undefined
  },
})
