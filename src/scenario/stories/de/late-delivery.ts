import { DAY, workdayAfter } from '../facts/calendar.js'
import { trackingNumber } from '../facts/order-number.js'
import { capitalized } from '../letters/capitalized.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawCarrier, drawCity } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './german.js'

/** A parcel that does not come. */
export const lateDelivery = conversation({
  name: 'late-delivery',
  category: 'support',
  weight: 10,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    carrier: drawCarrier(random),
    tracking: trackingNumber(random),
    depot: drawCity(random),
    due: formatDay(workdayAfter(setting.begins + random.integer(5, 8) * DAY)),
  }),
  subject: [
    (f) => `Bestellung ${f.order} nicht angekommen`,
    (f) => `Wo bleibt mein Paket? (${f.order})`,
    (f) => `Lieferverzug bei Bestellung ${f.order}`,
    (f) => `${f.item}, Bestellung ${f.order}: noch nichts da`,
  ],
  opening: [
    (f) => [
      `meine Bestellung ${f.order} vom ${f.ordered} sollte am ${f.arrived} ankommen, und bis heute ist nichts da.`,
      `Es geht um ${f.den} für ${f.price}. Können Sie bitte nachsehen, wo das Paket steckt?`,
    ],
    (f) => `wo bleibt meine Bestellung ${f.order}? Zugesagt war der ${f.arrived}.`,
    (f) => [
      `laut Sendungsverfolgung liegt mein Paket seit Tagen in ${f.depot}, ohne dass sich etwas bewegt.`,
      `Bestellnummer ${f.order}, Sendungsnummer ${f.tracking}. ${capitalized(f.der)} war als Geschenk gedacht, deshalb drängt es ein wenig.`,
    ],
    (f) => [
      `ich habe am ${f.ordered} ${f.einen} bei Ihnen bestellt und bis heute nichts erhalten.`,
      `Bei ${f.carrier} steht zu ${f.tracking} nur „in Bearbeitung“. Meine Bestellnummer ist ${f.order}.`,
    ],
    (f) => [
      `vorgestern stand im Briefkasten eine Karte von ${f.carrier}, in der Filiale wusste aber niemand etwas von einem Paket.`,
      `Es müsste Bestellung ${f.order} sein, ${f.item}. Was soll ich jetzt tun?`,
    ],
  ],
  answer: [
    (f) => [
      `vielen Dank für Ihre Nachricht. Ihre Bestellung ${f.order} hat unser Lager pünktlich verlassen und steht laut ${f.carrier} seit zwei Tagen in ${f.depot}.`,
      `Ich habe eine Nachforschung zur Sendung ${f.tracking} gestartet. Stimmt die Lieferadresse noch, ${f.street} in ${f.city}?`,
    ],
    (f) => [
      `es tut mir leid, dass Sie so lange warten müssen. Ich habe bei ${f.carrier} nach der Sendung ${f.tracking} gefragt und rechne morgen mit einer Antwort.`,
      `Bestätigen Sie mir bitte solange die Adresse: ${f.street}, ${f.city}.`,
    ],
    (f) =>
      `das hätte nicht passieren dürfen, bitte entschuldigen Sie. Das Paket mit ${f.dem} ist in ${f.depot} falsch sortiert worden. Ist ${f.street} in ${f.city} noch richtig? Dann lasse ich es dorthin umleiten.`,
  ],
  reaction: [
    () => 'ja, die Adresse stimmt. Bitte geben Sie Bescheid, sobald Sie etwas wissen.',
    (f) => [
      `${f.street} ist richtig, der Name steht an der Klingel.`,
      `Wenn es noch länger dauert, würde ich Bestellung ${f.order} allerdings lieber stornieren.`,
    ],
    (f) => `die Adresse ist unverändert. Bis wann kann ich denn mit ${f.dem} rechnen?`,
  ],
  solution: [
    (f) => [
      `gute Nachrichten: ${f.carrier} hat das Paket in ${f.depot} gefunden und stellt es am ${f.due} zu.`,
      'Für die Verspätung haben wir Ihnen die Versandkosten erstattet.',
    ],
    (f) =>
      `die Sendung ${f.tracking} ist wieder unterwegs und soll am ${f.due} bei Ihnen sein. Falls nicht, schicken wir Ihnen am selben Tag Ersatz.`,
    (f) => [
      `wir haben nicht länger gewartet und ${f.den} heute noch einmal verschickt, diesmal per Express. Ankunft ist am ${f.due}.`,
      'Sollte das erste Paket doch noch auftauchen, nehmen Sie es bitte nicht an.',
    ],
  ],
  thanks: [
    (f) => `${f.der} ist heute angekommen, alles heil. Vielen Dank für Ihre Mühe!`,
    () => 'das Paket ist da. Danke, dass Sie drangeblieben sind.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `in der Sendungsverfolgung steht bei ${f.tracking} immer noch „in Bearbeitung“. Muss ich etwas tun?`,
        (f) =>
          `von ${f.carrier} kam eben noch eine Benachrichtigung zu ${f.tracking}. Kommt da ein zweites Paket?`,
        () => 'kann ich künftig gleich an eine Packstation liefern lassen?',
      ],
      answer: [
        (f) =>
          `nein, die Anzeige hinkt nur hinterher. Die Sendung ${f.tracking} ist bei uns als zugestellt verbucht.`,
        (f) =>
          `nein, das war dieselbe Sendung. ${f.tracking} ist abgeschlossen, Sie können die Nachricht löschen.`,
        () =>
          'ja, die Packstation lässt sich im Konto als Lieferadresse eintragen. Beim nächsten Mal wird sie vorgeschlagen.',
      ],
    },
    {
      question: [
        (f) => `die Rechnung zu ${f.order} lag nicht bei. Können Sie mir eine schicken?`,
        (f) =>
          `ab wann läuft eigentlich die Rückgabefrist, ab dem ${f.arrived} oder ab der tatsächlichen Lieferung?`,
        (f) => `liefern Sie ${f.den} auch nach Österreich? Meine Schwester hätte auch gern so etwas.`,
      ],
      answer: [
        (f) =>
          `die Rechnung zu ${f.order} finden Sie in Ihrem Konto unter „Bestellungen“; eine Kopie ist gerade an Sie unterwegs.`,
        () =>
          'sie beginnt mit dem Tag, an dem Sie das Paket wirklich bekommen haben, und dauert dreißig Tage.',
        () => 'ja, nach Österreich liefern wir auch, in drei bis fünf Werktagen und zum selben Preis.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `Sendungsverfolgung-${f.tracking}.png` }
      : undefined,
})
