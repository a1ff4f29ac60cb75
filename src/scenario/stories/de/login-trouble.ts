import { customerNumber, ticketNumber } from '../facts/order-number.js'
import { capitalized } from '../letters/capitalized.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './german.js'

const SYMPTOMS = [
  'die Mail zum Zurücksetzen kommt einfach nicht an',
  'der Link aus der Mail ist angeblich schon abgelaufen',
  'nach dem neuen Passwort lande ich wieder auf der Anmeldeseite',
  'es heißt, mein Konto sei gesperrt',
] as const
const BROWSERS = ['Firefox', 'Chrome', 'Safari', 'Edge'] as const

/** Somebody cannot get into their account. */
export const loginTrouble = conversation({
  name: 'login-trouble',
  category: 'support',
  weight: 6,
  facts: (random) => ({
    symptom: random.pick(SYMPTOMS),
    browser: random.pick(BROWSERS),
    tries: random.integer(3, 7),
    customer: customerNumber(random),
    ticket: ticketNumber(random),
    minutes: random.integer(2, 6) * 10,
  }),
  subject: [
    (f) => `Anmeldung nicht möglich, Kundennummer ${f.customer}`,
    (f) => `Passwort zurücksetzen klappt nicht (${f.customer})`,
    () => 'Ich komme nicht mehr in mein Konto',
    (f) => `Konto ${f.customer}: Hilfe bei der Anmeldung`,
  ],
  opening: [
    (f) => [
      `seit heute früh komme ich nicht mehr in mein Konto: ${capitalized(f.symptom)}.`,
      `Meine Kundennummer ist ${f.customer}. Was kann ich tun?`,
    ],
    (f) =>
      `ich habe jetzt ${f.tries}-mal versucht, mein Passwort zurückzusetzen, und ${f.symptom}. Kundennummer ${f.customer}, ${f.browser} auf dem Laptop.`,
    (f) => [
      `können Sie mir mit meinem Konto ${f.customer} helfen? Mein Problem: ${capitalized(f.symptom)}.`,
      `Versucht habe ich es mit ${f.browser} und auf dem Telefon, mit demselben Ergebnis.`,
    ],
    (f) => [
      `ich wollte nur eine Rechnung herunterladen und scheitere an der Anmeldung, denn ${f.symptom}.`,
      `Das Konto läuft unter ${f.customer}. Bitte schicken Sie mir kein Passwort per Mail, einen Link hätte ich gern.`,
    ],
  ],
  answer: [
    (f) => [
      `danke für die genaue Beschreibung, ich habe dazu den Vorgang ${f.ticket} angelegt.`,
      `Ihr Konto ist in Ordnung. Bitte warten Sie ${f.minutes} Minuten und fordern Sie dann genau einen neuen Link an. Klappt es?`,
    ],
    (f) => [
      `das bekommen wir hin. Nach mehreren Versuchen sperrt sich die Anmeldung für ${f.minutes} Minuten von selbst.`,
      `Versuchen Sie es danach bitte in einem privaten Fenster von ${f.browser} und schreiben Sie mir, was Sie sehen (Vorgang ${f.ticket}).`,
    ],
    (f) =>
      `ich habe die Sperre von Konto ${f.customer} aufgehoben. Fordern Sie bitte einen neuen Link an und benutzen Sie nur den aus der jüngsten Mail; er gilt ${f.minutes} Minuten. Der Vorgang ist ${f.ticket}.`,
  ],
  reaction: [
    () => 'leider unverändert. Auch im Spamordner liegt nichts.',
    (f) =>
      `mit ${f.browser} geht es nicht, auch nicht im privaten Fenster. Den Cache habe ich ebenfalls geleert.`,
    (f) => [
      'ich habe gewartet und genau einen Link angefordert, es bleibt dabei.',
      `Kann es daran liegen, dass zu ${f.customer} noch eine alte Mailadresse gehört?`,
    ],
  ],
  solution: [
    (f) => [
      `gefunden: Zu ${f.customer} war noch eine frühere Mailadresse hinterlegt. Ich habe sie durch diese hier ersetzt.`,
      'Ein neuer Link ist gerade an Sie hinausgegangen.',
    ],
    (f) =>
      `jetzt sollte es gehen: Wir haben zu ${f.ticket} alle alten Links gelöscht und Ihnen einen frischen geschickt. Er gilt ${f.minutes} Minuten.`,
    (f) => [
      `unsere Technik hat ${f.ticket} übernommen und den Fehler behoben, er lag auf unserer Seite.`,
      'Bitte melden Sie sich mit dem Link an, den Sie eben bekommen haben, und vergeben Sie dort ein neues Passwort.',
    ],
  ],
  thanks: [
    () => 'ich bin wieder drin. Vielen Dank!',
    () => 'jetzt hat es auf Anhieb geklappt, danke für Ihre Geduld mit mir.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () => 'kann ich die Anmeldung irgendwo mit einem zweiten Faktor absichern?',
        () => 'wie oft sollte ich das Passwort denn ändern?',
        () => 'ist das auch anderen passiert? Eine Bekannte hatte gestern dasselbe.',
      ],
      answer: [
        () => 'ja, im Konto unter „Sicherheit“. Eine App auf dem Telefon genügt.',
        () =>
          'nur, wenn Sie den Verdacht haben, dass es jemand kennt. Wichtiger ist, dass Sie es nirgends sonst benutzen.',
        () => 'es waren einige betroffen, seit heute früh ist das aber behoben.',
      ],
    },
    {
      question: [
        (f) => `in meinem Konto ${f.customer} steht noch der alte Nachname. Wo ändere ich den?`,
        () => 'lässt sich ein zweites Konto mit diesem zusammenlegen?',
        (f) => `ist der Vorgang ${f.ticket} damit geschlossen?`,
      ],
      answer: [
        () => 'das geht unter „Meine Daten“; Rechnungen, die es schon gibt, bleiben, wie sie sind.',
        () => 'ja, schreiben Sie uns von der anderen Adresse aus, dann führen wir beide zusammen.',
        (f) => `ja, ${f.ticket} ist geschlossen und gut dokumentiert, falls es noch einmal vorkommt.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `Anmeldung-${f.customer}-${index + 1}.png` }
      : undefined,
})
