import { capitalized } from '../letters/capitalized.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import type { Thing } from './facts/nouns.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './german.js'

const REASONS: readonly ((thing: Thing) => string)[] = [
  ({ er }) => `${er} ist deutlich kleiner als auf den Fotos`,
  () => 'die Farbe hat mit dem Foto nichts zu tun',
  () => 'meine Schwester hatte schon das gleiche Modell gekauft',
  ({ er }) => `${er} passt leider nicht an den vorgesehenen Platz`,
  ({ er }) => `für den Preis wirkt ${er} recht wackelig`,
  ({ ihn }) => `wir brauchen ${ihn} nun doch nicht`,
]
const DAYS = ['drei', 'vier', 'fünf'] as const

/** A customer sends something back and wants the money. */
export const refundRequest = conversation({
  name: 'refund-request',
  category: 'support',
  weight: 9,
  facts: (random, setting) => {
    const purchase = drawPurchase(random, setting)
    return {
      ...purchase,
      reason: random.pick(REASONS)(purchase),
      carrier: drawCarrier(random),
      returnNumber: `R-${random.integer(10_000, 99_999)}`,
      days: random.pick(DAYS),
    }
  },
  subject: [
    (f) => `Rückgabe zu Bestellung ${f.order}`,
    (f) => `Widerruf: ${f.item}, ${f.order}`,
    (f) => `Bitte um Erstattung (${f.order})`,
    (f) => `Bestellung ${f.order} zurückschicken`,
  ],
  opening: [
    (f) => [
      `ich möchte ${f.den} aus Bestellung ${f.order} zurückgeben. Die Lieferung kam am ${f.arrived}, aber ${f.reason}.`,
      `Die Ware ist unbenutzt und im Karton. Wie bekomme ich die ${f.price} zurück?`,
    ],
    (f) =>
      `bitte erstatten Sie mir Bestellung ${f.order} (${f.item}, ${f.price}). Der Grund: ${capitalized(f.reason)}.`,
    (f) => [
      `vorweg: Die Lieferung war schnell und die Verpackung wirklich schön. Trotzdem wird das mit ${f.dem} und uns nichts: ${capitalized(f.reason)}.`,
      `Nehmen Sie die Ware zurück? Die Bestellnummer ist ${f.order}. Im Karton hat bisher nur die Katze geschlafen.`,
    ],
    (f) => [
      'auf Ihrer Seite habe ich vergeblich gesucht, wie man etwas zurückschickt.',
      `Es geht um Bestellung ${f.order}, geliefert am ${f.arrived}: ${capitalized(f.reason)}. Wie geht es jetzt weiter?`,
    ],
    (f) => [
      `hiermit widerrufe ich den Kauf von Bestellung ${f.order} (${f.item}).`,
      `Bitte überweisen Sie mir den vollen Betrag von ${f.price}, keinen Gutschein.`,
    ],
  ],
  answer: [
    (f) => [
      `kein Problem, Sie haben dreißig Tage Zeit. Für ${f.den} habe ich die Rücksendung ${f.returnNumber} angelegt.`,
      `Schreiben Sie die Nummer bitte auf den Karton und geben Sie ihn in einem Shop von ${f.carrier} ab; das Porto ist bezahlt. Sobald er hier ist, erstatten wir Ihnen ${f.price}.`,
    ],
    (f) => [
      `schade, dass es nicht gepasst hat. Ihre Rücksendenummer zu Bestellung ${f.order} lautet ${f.returnNumber}.`,
      `${f.carrier} holt das Paket auf Wunsch bei Ihnen ab (${f.street}, ${f.city}), oder Sie geben es selbst auf. Beides ist für Sie kostenlos.`,
    ],
    (f) =>
      `selbstverständlich. Packen Sie ${f.den} bitte so ein, wie die Ware bei Ihnen ankam, schreiben Sie ${f.returnNumber} außen auf den Karton und bringen Sie ihn zu ${f.carrier}. Am Tag des Eingangs erstatten wir die vollen ${f.price}.`,
  ],
  reaction: [
    (f) =>
      `das Paket habe ich gestern hier in ${f.city} bei ${f.carrier} abgegeben. Wann kann ich mit dem Geld rechnen?`,
    (f) => [
      `die Rücksendung ${f.returnNumber} ist seit letzter Woche unterwegs, den Beleg habe ich aufgehoben.`,
      'Auf meinem Konto ist noch nichts eingegangen. Könnten Sie das bitte prüfen?',
    ],
    (f) =>
      `das Paket ist auf dem Weg, ${f.returnNumber} steht sicherheitshalber auf zwei Seiten. Geht die Erstattung an die Karte, mit der ich bezahlt habe?`,
  ],
  solution: [
    (f) => [
      `Ihr Paket ist da und alles in Ordnung. Die Erstattung von ${f.price} habe ich gerade freigegeben.`,
      `Sie geht an die Karte, mit der Sie bezahlt haben, und ist meist nach ${f.days} Werktagen zu sehen.`,
    ],
    (f) =>
      `die Rücksendung ${f.returnNumber} ist heute früh eingetroffen, und ${f.price} sind auf dem Weg zu Ihrer Karte. Die Bank braucht bis zu ${f.days} Werktage.`,
    (f) => [
      `${f.der} ist in bestem Zustand angekommen, danke fürs sorgfältige Verpacken.`,
      `Wir haben Ihnen ${f.price} in voller Höhe erstattet. Bitte rechnen Sie mit ${f.days} Werktagen, bis die Bank das gebucht hat.`,
    ],
  ],
  thanks: [
    (f) => `die ${f.price} sind heute angekommen. Vielen Dank, das ging ja wirklich unkompliziert.`,
    () => 'das Geld ist da. Danke!',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `für meine Unterlagen bräuchte ich noch etwas Schriftliches, dass Bestellung ${f.order} erstattet wurde.`,
        (f) =>
          `bei meiner Bank steht nur „Gutschrift“. Können Sie bestätigen, dass die ${f.price} von Ihnen sind?`,
        (f) => `bekomme ich zu ${f.returnNumber} noch einen Beleg für die Steuer?`,
      ],
      answer: [
        (f) =>
          `gern: Bestellung ${f.order} wurde unter ${f.returnNumber} vollständig erstattet, ${f.price}. Die Gutschrift liegt in Ihrem Konto unter „Bestellungen“.`,
        (f) =>
          `das bestätige ich gern: ${f.price} zu Bestellung ${f.order}, Rücksendung ${f.returnNumber}. Diese Mail genügt als Nachweis.`,
        (f) =>
          `den Beleg zu ${f.returnNumber} finden Sie in Ihrem Konto, mit allem, was das Finanzamt wissen will.`,
      ],
    },
    {
      question: [
        () => 'können Sie mir denn etwas Ähnliches empfehlen?',
        () => 'wenn ich etwas anderes bestelle, gelten dann wieder dreißig Tage?',
        (f) => `gibt es ${f.den} auch eine Nummer größer? ${capitalized(f.er)} gefiel uns im Grunde gut.`,
      ],
      answer: [
        () =>
          'schauen Sie auf der Produktseite ganz unten: Die beiden Vorschläge dort nehmen die meisten stattdessen. Auch dafür gelten dreißig Tage.',
        () => 'ja, jede Bestellung hat ihre eigenen dreißig Tage, gerechnet ab der Lieferung.',
        () => 'im Moment leider nicht. Für das Frühjahr ist eine größere Ausführung geplant.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2 ? { fixture: 'receipt.pdf', filename: `Kaufbeleg-${f.order}.pdf` } : undefined,
})
