import { deliveryReport, drawFailure } from '../facts/delivery-failure.js'
import { drawEmployer } from './facts/firms.js'
import { announcement } from './french.js'

const MAILBOXES = [
  'achats',
  'contact',
  'accueil',
  'commandes',
  'c.morin',
  'j.lambert',
  'comptabilite',
] as const

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
    (f) => `Non remis : votre message à ${f.recipient}`,
    () => 'Delivery Status Notification (Failure)',
    (f) => `Échec de la remise : ${f.recipient}`,
  ],
  first: [
    (f) => [
      `Ceci est le serveur de messagerie de ${f.relay}.`,
      "Un message que vous avez envoyé n'a pas pu être remis. Aucune nouvelle tentative ne sera faite.",
      `<${f.recipient}>: ${f.server} said: ${f.reply} ${f.says} (in reply to RCPT TO)`,
      deliveryReport(f),
    ],
    (f) => [
      `Votre message à ${f.recipient} n'a pas été remis.`,
      `Le serveur ${f.server} l'a refusé définitivement :\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      "Vérifiez l'adresse ou joignez le destinataire par un autre moyen.",
      deliveryReport(f),
    ],
    (f) => [
      'La remise aux destinataires suivants a échoué :',
      `    ${f.recipient}\n    Motif : ${f.says} (${f.status})`,
      `Accepté le ${f.at}, refusé définitivement dès la première tentative.`,
      deliveryReport(f),
    ],
    (f) => [
      `----- L'adresse suivante est en échec permanent -----\n<${f.recipient}>`,
      `----- Transcript of the session -----\n... while talking to ${f.server}:\n<<< ${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
  ],
  next: [
    [
      (f) => [
        `Ceci est le serveur de messagerie de ${f.relay}.`,
        `Un autre message de ${f.agentAddress} à <${f.recipient}> n'a pas pu être remis non plus. Le motif est le même : ${f.reply} ${f.says}`,
      ],
      (f) => [
        `Votre second message à ${f.recipient} n'a pas été remis.`,
        `${f.server} a répondu : ${f.reply} ${f.says}`,
        'Vous devriez retirer cette adresse de votre liste.',
      ],
      (f) => [
        `Nouvel échec pour ${f.recipient}`,
        `Le serveur ${f.server} n'accepte toujours rien pour cette adresse (${f.reply} ${f.says}).`,
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'error-log.txt', filename: `journal-${f.queue}.txt` } : undefined,
})
