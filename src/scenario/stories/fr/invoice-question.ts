import { DAY } from '../facts/calendar.js'
import { customerNumber, numberOfYear } from '../facts/order-number.js'
import { supportFarewells } from './closing-words.js'
import { formatDate, formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { formatMoney } from './facts/money.js'
import { conversation } from './french.js'

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
      invoice: numberOfYear('FA', random, setting.begins),
      corrected: numberOfYear('FR', random, setting.begins),
      sum: formatMoney(cents + surplus),
      agreed: formatMoney(cents),
      surplus: formatMoney(surplus),
      issued: formatDate(issued),
      due: formatDay(issued + 30 * DAY),
    }
  },
  subject: [
    (f) => `Question sur la facture ${f.invoice}`,
    (f) => `Facture ${f.invoice} de ${f.sum}`,
    (f) => `${f.firm} : écart sur la facture ${f.invoice}`,
    (f) => `Rectification de la facture ${f.invoice}`,
  ],
  opening: [
    (f) => [
      `Nous avons reçu votre facture ${f.invoice} du ${f.issued}, d'un montant de ${f.sum}. Le devis prévoyait ${f.agreed}.`,
      `Merci de vérifier, notre numéro de client est ${f.customer}. Nous suspendons le paiement jusque-là.`,
    ],
    (f) => [
      `En saisissant la facture ${f.invoice}, je constate un écart de ${f.surplus} avec le devis.`,
      "Y a-t-il une raison, ou s'agit-il d'une erreur de frappe ?",
    ],
    (f) =>
      `À quoi correspondent les ${f.surplus} supplémentaires de la facture ${f.invoice} ? Je ne trouve que ${f.agreed} dans le devis.`,
    (f) => [
      `Votre facture ${f.invoice} arrive à échéance le ${f.due}, mais je ne peux la rattacher à aucune commande.`,
      `Le montant de ${f.sum} ne correspond à rien de ce que nous avons commandé ; ${f.agreed} conviendraient.`,
    ],
  ],
  answer: [
    (f) => [
      `Merci de votre vigilance. La facture ${f.invoice} compte par erreur ${f.surplus} de transport déjà inclus dans le devis.`,
      `À quelle adresse devons-nous envoyer la facture rectifiée de ${f.agreed} ?`,
    ],
    (f) => [
      `Vous avez raison, l'erreur vient de nous : ces ${f.surplus} relèvent d'un autre dossier.`,
      `La rectification de ${f.invoice} doit-elle revenir à cette adresse ou aller directement à la comptabilité ?`,
    ],
    (f) =>
      `J'ai comparé la facture ${f.invoice} au devis : ${f.agreed}, c'est bien le montant exact. Vous faut-il la rectification en PDF seulement, ou aussi sur papier ?`,
  ],
  reaction: [
    () => 'En PDF et à cette adresse, cela nous suffit amplement.',
    (f) => `Envoyez-la ici, s'il vous plaît, en rappelant notre numéro de client ${f.customer}.`,
    (f) => [
      "À cette adresse, s'il vous plaît, et sans papier.",
      `Une question encore : l'échéance du ${f.due} est-elle maintenue ?`,
    ],
  ],
  solution: [
    (f) => [
      `Vous trouverez ci-joint la facture rectificative ${f.corrected} de ${f.agreed}. Elle annule la facture ${f.invoice}.`,
      "Vous disposez à nouveau de trente jours à compter d'aujourd'hui.",
    ],
    (f) =>
      `La rectification est jointe : ${f.corrected}, ${f.agreed}, client ${f.customer}. Merci de ne régler que ce montant.`,
    (f) => [
      `Voici la pièce ${f.corrected} ; la facture ${f.invoice} a été annulée.`,
      `Le montant à payer est de ${f.agreed}, et nous reportons l'échéance de deux semaines.`,
    ],
  ],
  thanks: [
    (f) => `Bien reçu ${f.corrected}, tout concorde. Le virement de ${f.agreed} est lancé.`,
    () => 'Merci, tout est juste à présent. Le règlement partira avec le prochain lot.',
    () => 'Merci pour la rapidité, je peux clôturer mon mois.',
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Notre adresse de facturation a changé. Pouvez-vous la corriger pour le client ${f.customer} ?`,
        () => "Pourrions-nous recevoir vos factures sous forme électronique à l'avenir ?",
        () => 'Accordez-vous un escompte pour un paiement sous huit jours ?',
      ],
      answer: [
        (f) => `Volontiers, envoyez-nous la nouvelle adresse et nous la noterons sous ${f.customer}.`,
        () => "Oui, ce sera le cas dès la prochaine. Vous n'avez rien à faire.",
        () => 'Deux pour cent sous huit jours, y compris pour la facture rectifiée.',
      ],
    },
    {
      question: [
        (f) => `Nous avons reçu une relance pour ${f.invoice}. N'est-elle pas annulée ?`,
        (f) => `Le règlement de ${f.corrected} vous est-il parvenu ?`,
        () => "Pourriez-vous nous adresser en fin d'année un relevé de toutes les factures ?",
      ],
      answer: [
        (f) =>
          `La relance de ${f.invoice} s'est croisée avec la rectification. Merci de ne pas en tenir compte.`,
        (f) => `Oui, la facture ${f.corrected} est soldée chez nous, merci.`,
        () => 'Bien sûr, le relevé part de lui-même la première semaine de janvier.',
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) => {
    if (index === 0) return { fixture: 'invoice.pdf', filename: `facture-${f.invoice}.pdf` }
    return index === 3
      ? { fixture: 'invoice.pdf', filename: `facture-rectificative-${f.corrected}.pdf` }
      : undefined
  },
})
