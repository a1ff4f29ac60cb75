import { deliveryReport, drawFailure } from '../facts/delivery-failure.js'
import { drawEmployer } from './facts/firms.js'
import { announcement } from './german.js'

const MAILBOXES = ['einkauf', 'info', 'empfang', 'bestellung', 'k.moser', 'j.albrecht', 'verwaltung'] as const

/** A mail server tells the agent that something it sent did not get through. */
export const bounce = announcement({
  name: 'bounce',
  category: 'bounces',
  weight: 2,
  colour: '#000000',
  html: 0,
  htmlOnly: 0,
  facts: (random, setting) => drawFailure(random, setting, drawEmployer(random).domain, MAILBOXES),
  from: (f) => ({ name: 'Mail Delivery System', address: `MAILER-DAEMON@${f.relay}` }),
  subject: [
    () => 'Undelivered Mail Returned to Sender',
    (f) => `Unzustellbar: Ihre Nachricht an ${f.recipient}`,
    () => 'Delivery Status Notification (Failure)',
    (f) => `Zustellung fehlgeschlagen: ${f.recipient}`,
  ],
  first: [
    (f) => [
      `Dies ist der Mailserver von ${f.relay}.`,
      'Eine von Ihnen gesendete Nachricht konnte nicht zugestellt werden. Es wird kein weiterer Versuch unternommen.',
      `<${f.recipient}>: ${f.server} said: ${f.reply} ${f.says} (in reply to RCPT TO)`,
      deliveryReport(f),
    ],
    (f) => [
      `Ihre Nachricht an ${f.recipient} wurde nicht zugestellt.`,
      `Der Server ${f.server} hat sie endgültig abgewiesen:\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      'Bitte prüfen Sie die Adresse oder wenden Sie sich auf anderem Weg an den Empfänger.',
      deliveryReport(f),
    ],
    (f) => [
      'Die Zustellung an folgende Empfänger ist fehlgeschlagen:',
      `    ${f.recipient}\n    Grund: ${f.says} (${f.status})`,
      `Angenommen am ${f.at}, beim ersten Versuch endgültig abgewiesen.`,
      deliveryReport(f),
    ],
    (f) => [
      `----- Die folgende Adresse ist dauerhaft nicht erreichbar -----\n<${f.recipient}>`,
      `----- Transcript of the session -----\n... while talking to ${f.server}:\n<<< ${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
  ],
  next: [
    [
      (f) => [
        `Dies ist der Mailserver von ${f.relay}.`,
        `Auch eine weitere Nachricht von ${f.agentAddress} an <${f.recipient}> konnte nicht zugestellt werden. Der Grund ist derselbe: ${f.reply} ${f.says}`,
      ],
      (f) => [
        `Ihre zweite Nachricht an ${f.recipient} wurde nicht zugestellt.`,
        `${f.server} antwortet: ${f.reply} ${f.says}`,
        'Sie sollten diese Adresse aus Ihrem Verteiler nehmen.',
      ],
      (f) => [
        `Wiederholt unzustellbar: ${f.recipient}`,
        `Der Server ${f.server} nimmt weiterhin nichts für diese Adresse an (${f.reply} ${f.says}).`,
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'error-log.txt', filename: `Protokoll-${f.queue}.txt` } : undefined,
})
