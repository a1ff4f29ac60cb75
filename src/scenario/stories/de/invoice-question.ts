import { DAY } from '../facts/calendar.js'
import { customerNumber, numberOfYear } from '../facts/order-number.js'
import { supportFarewells } from './closing-words.js'
import { formatDate, formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { formatMoney } from './facts/money.js'
import { conversation } from './german.js'

/** The bookkeeping of a firm cannot match an invoice. */
export const invoiceQuestion = conversation({
  name: 'invoice-question',
  category: 'support',
  weight: 6,
  facts: (random, setting) => {
    const { name } = drawEmployer(random)
    const cents = random.integer(80, 2900) * 100 + random.integer(0, 19) * 5
    const surplus = random.integer(15, 70) * 100
    const issued = setting.begins - random.integer(6, 20) * DAY
    return {
      firm: name,
      role: drawRole(random),
      customer: customerNumber(random),
      invoice: numberOfYear('RE', random, setting.begins),
      corrected: numberOfYear('KR', random, setting.begins),
      sum: formatMoney(cents + surplus),
      agreed: formatMoney(cents),
      surplus: formatMoney(surplus),
      issued: formatDate(issued),
      due: formatDay(issued + 30 * DAY),
    }
  },
  subject: [
    (f) => `Rückfrage zur Rechnung ${f.invoice}`,
    (f) => `Rechnung ${f.invoice} über ${f.sum}`,
    (f) => `${f.firm}: Unstimmigkeit bei ${f.invoice}`,
    (f) => `Bitte um Korrektur der Rechnung ${f.invoice}`,
  ],
  opening: [
    (f) => [
      `uns liegt Ihre Rechnung ${f.invoice} vom ${f.issued} über ${f.sum} vor. Vereinbart waren ${f.agreed}.`,
      `Bitte prüfen Sie das, unsere Kundennummer ist ${f.customer}. Bis zur Klärung halten wir die Zahlung zurück.`,
    ],
    (f) => [
      `beim Buchen ist mir aufgefallen, dass ${f.invoice} um ${f.surplus} höher ist als das Angebot.`,
      'Gibt es dafür einen Grund, oder hat sich da jemand vertippt?',
    ],
    (f) =>
      `wofür stehen auf der Rechnung ${f.invoice} die zusätzlichen ${f.surplus}? Im Angebot finde ich nur ${f.agreed}.`,
    (f) => [
      `am ${f.due} wird Ihre Rechnung ${f.invoice} fällig, ich kann sie aber keiner Bestellung zuordnen.`,
      `Der Betrag von ${f.sum} passt zu nichts, was wir bei Ihnen bestellt haben; ${f.agreed} würden passen.`,
    ],
  ],
  answer: [
    (f) => [
      `vielen Dank für den Hinweis. Auf ${f.invoice} stehen versehentlich ${f.surplus} für Fracht, die im Angebot schon enthalten war.`,
      `An welche Adresse dürfen wir die korrigierte Rechnung über ${f.agreed} schicken?`,
    ],
    (f) => [
      `Sie haben recht, da ist uns ein Fehler unterlaufen: Die ${f.surplus} gehören zu einem anderen Auftrag.`,
      `Soll die Korrektur von ${f.invoice} wieder an Ihr Postfach gehen oder direkt an die Buchhaltung?`,
    ],
    (f) =>
      `ich habe mir Rechnung ${f.invoice} und das Angebot nebeneinandergelegt: ${f.agreed} sind richtig. Brauchen Sie die Korrektur als PDF oder zusätzlich auf Papier?`,
  ],
  reaction: [
    () => 'bitte als PDF an diese Adresse, das genügt uns völlig.',
    (f) => `schicken Sie die Korrektur bitte hierher und nennen Sie darin unsere Kundennummer ${f.customer}.`,
    (f) => [
      'an diese Adresse, bitte. Papier brauchen wir keines.',
      `Noch eine Frage dazu: Bleibt es bei der Frist bis zum ${f.due}?`,
    ],
  ],
  solution: [
    (f) => [
      `anbei die Rechnungskorrektur ${f.corrected} über ${f.agreed}. Die Rechnung ${f.invoice} ist damit hinfällig.`,
      'Für die Zahlung haben Sie ab heute wieder dreißig Tage Zeit.',
    ],
    (f) =>
      `die Korrektur ist fertig und hängt an: ${f.corrected}, ${f.agreed}, Kundennummer ${f.customer}. Bitte überweisen Sie nur diesen Betrag.`,
    (f) => [
      `im Anhang finden Sie ${f.corrected}; ${f.invoice} haben wir storniert.`,
      `Zu zahlen sind ${f.agreed}, die Frist verlängern wir um zwei Wochen.`,
    ],
  ],
  thanks: [
    (f) => `${f.corrected} ist angekommen und passt. Die ${f.agreed} sind angewiesen.`,
    () => 'danke, jetzt stimmt alles. Die Zahlung geht mit dem nächsten Lauf hinaus.',
    () => 'vielen Dank für die schnelle Korrektur, damit kann ich den Monat abschließen.',
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `unsere Anschrift hat sich geändert. Können Sie das unter ${f.customer} für künftige Rechnungen hinterlegen?`,
        () => 'können wir Ihre Rechnungen künftig als E-Rechnung bekommen?',
        () => 'gewähren Sie eigentlich Skonto, wenn wir innerhalb von acht Tagen zahlen?',
      ],
      answer: [
        (f) => `gern, schicken Sie uns die neue Anschrift, dann tragen wir sie unter ${f.customer} ein.`,
        () => 'ja, das stellen wir ab der nächsten Rechnung um. Sie brauchen nichts weiter zu tun.',
        () =>
          'bei Zahlung innerhalb von acht Tagen sind es zwei Prozent, auch bei der korrigierten Rechnung.',
      ],
    },
    {
      question: [
        (f) => `von Ihnen kam eine Mahnung zu ${f.invoice}. Die ist doch storniert?`,
        (f) => `ist die Zahlung zu ${f.corrected} schon bei Ihnen eingegangen?`,
        () => 'können Sie uns zum Jahresende einen Kontoauszug mit allen Posten schicken?',
      ],
      answer: [
        (f) =>
          `die Mahnung zu ${f.invoice} hat sich mit der Korrektur überschnitten. Bitte betrachten Sie sie als gegenstandslos.`,
        (f) => `zu ${f.corrected} ist bei uns alles ausgeglichen, vielen Dank.`,
        () => 'gern, der Auszug kommt in der ersten Januarwoche von selbst.',
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) => {
    if (index === 0) return { fixture: 'invoice.pdf', filename: `Rechnung-${f.invoice}.pdf` }
    return index === 3
      ? { fixture: 'invoice.pdf', filename: `Rechnungskorrektur-${f.corrected}.pdf` }
      : undefined
  },
})
