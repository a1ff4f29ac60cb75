import { customerNumber, ticketNumber } from '../facts/order-number.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './french.js'

const SYMPTOMS = [
  "le message de réinitialisation n'arrive jamais",
  'le lien reçu aurait déjà expiré',
  'une fois le mot de passe changé, je retombe sur la page de connexion',
  'on me dit que mon compte est bloqué',
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
    (f) => `Connexion impossible, client ${f.customer}`,
    (f) => `Mot de passe oublié : rien ne marche (${f.customer})`,
    () => "Je n'ai plus accès à mon compte",
    (f) => `Compte ${f.customer} : besoin d'aide`,
  ],
  opening: [
    (f) => [
      `Depuis ce matin, je n'arrive plus à me connecter : ${f.symptom}.`,
      `Mon numéro de client est ${f.customer}. Que puis-je faire ?`,
    ],
    (f) =>
      `J'ai essayé ${f.tries} fois de réinitialiser mon mot de passe et ${f.symptom}. Client ${f.customer}, ${f.browser} sur un ordinateur portable.`,
    (f) => [
      `Pouvez-vous m'aider avec le compte ${f.customer} ? Voici le problème : ${f.symptom}.`,
      `J'ai essayé avec ${f.browser} puis sur mon téléphone, sans plus de succès.`,
    ],
    (f) => [
      `Je voulais seulement télécharger une facture, mais ${f.symptom}.`,
      `Le compte porte le numéro ${f.customer}. Ne m'envoyez pas de mot de passe par courriel, je préfère un lien.`,
    ],
  ],
  answer: [
    (f) => [
      `Merci pour ces précisions, j'ai ouvert la demande ${f.ticket}.`,
      `Votre compte est en ordre. Attendez ${f.minutes} minutes, puis demandez un seul nouveau lien. Cela fonctionne-t-il ?`,
    ],
    (f) => [
      `Nous allons y arriver. Après plusieurs essais, la connexion se bloque d'elle-même pendant ${f.minutes} minutes.`,
      `Réessayez ensuite dans une fenêtre privée de ${f.browser} et dites-moi ce que vous voyez (demande ${f.ticket}).`,
    ],
    (f) =>
      `J'ai débloqué le compte ${f.customer}. Demandez un nouveau lien et n'utilisez que celui du message le plus récent ; il reste valable ${f.minutes} minutes. Votre demande porte le numéro ${f.ticket}.`,
  ],
  reaction: [
    () => 'Toujours rien, hélas, même dans les indésirables.',
    (f) =>
      `Avec ${f.browser}, cela ne marche pas non plus, ni en fenêtre privée ni après avoir vidé le cache.`,
    (f) => [
      "J'ai attendu et demandé un seul lien, mais c'est toujours pareil.",
      `Le compte ${f.customer} serait-il encore rattaché à une ancienne adresse ?`,
    ],
  ],
  solution: [
    (f) => [
      `Nous avons trouvé : le compte ${f.customer} gardait une ancienne adresse. Je l'ai remplacée par celle-ci.`,
      'Un nouveau lien vient de vous être envoyé.',
    ],
    (f) =>
      `Cela devrait aller maintenant : pour la demande ${f.ticket}, nous avons supprimé les anciens liens et vous en avons envoyé un nouveau, valable ${f.minutes} minutes.`,
    (f) => [
      `Nos techniciens ont repris la demande ${f.ticket} et corrigé l'erreur, qui venait de nous.`,
      'Connectez-vous avec le lien que vous venez de recevoir et choisissez un nouveau mot de passe.',
    ],
  ],
  thanks: [
    () => "J'ai de nouveau accès à mon compte. Merci !",
    () => 'Cette fois, tout a marché du premier coup. Merci de votre patience avec moi.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () => 'Peut-on protéger la connexion par un second facteur ?',
        () => 'À quelle fréquence faut-il changer le mot de passe ?',
        () => "D'autres clients ont-ils eu ce problème ? Une amie m'a dit la même chose hier.",
      ],
      answer: [
        () => 'Oui, dans votre compte, à la rubrique « Sécurité ». Une application sur le téléphone suffit.',
        () =>
          "Seulement si vous pensez que quelqu'un le connaît. Le plus important est de ne l'utiliser nulle part ailleurs.",
        () => "Quelques-uns, oui, mais tout est rentré dans l'ordre depuis ce matin.",
      ],
    },
    {
      question: [
        (f) => `Mon compte ${f.customer} affiche encore mon ancien nom. Où puis-je le changer ?`,
        () => 'Est-il possible de réunir deux comptes en un seul ?',
        (f) => `La demande ${f.ticket} est-elle close à présent ?`,
      ],
      answer: [
        () => 'Sous « Mes informations » ; les factures existantes restent telles quelles.',
        () => "Oui, écrivez-nous depuis l'autre adresse et nous les réunirons.",
        (f) => `Oui, la demande ${f.ticket} est close et bien documentée, au cas où cela se reproduirait.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `connexion-${f.customer}-${index + 1}.png` }
      : undefined,
})
