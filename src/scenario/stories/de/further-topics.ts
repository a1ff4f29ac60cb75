import type { Topic } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What people still write about once everything is settled, whatever it was. */
export const furtherTopics: readonly Topic<Circumstances>[] = [
  {
    question: [
      () => 'eine letzte Frage noch: Muss ich von meiner Seite aus noch etwas tun?',
      () => 'nur zur Sicherheit: Warten Sie noch auf etwas von mir?',
      () => 'ist die Sache damit erledigt, oder brauchen Sie noch Unterlagen von mir?',
    ],
    answer: [
      () => 'nein, Sie müssen nichts weiter tun. Bei uns ist alles erledigt.',
      () => 'von Ihrer Seite fehlt nichts mehr. Sollte sich das ändern, schreiben wir an diese Adresse.',
      () => 'alles erledigt, Sie können die Sache abhaken. Unterlagen brauchen wir keine mehr.',
    ],
  },
  {
    question: [
      () =>
        'gibt es eigentlich eine Telefonnummer für solche Fälle? Schreiben ist bei mir nicht immer praktisch.',
      () => 'kann ich beim nächsten Mal auch mit jemandem telefonieren?',
      () => 'haben Sie auch eine Hotline, oder läuft bei Ihnen alles per Mail?',
    ],
    answer: [
      () =>
        'am schnellsten sind wir per Mail. Wir rufen aber gern zurück: Schicken Sie uns eine Nummer und eine Uhrzeit zwischen 9 und 17 Uhr.',
      () => [
        'natürlich. Antworten Sie mit Ihrer Nummer und zwei Terminen, die Ihnen passen, dann ruft jemand von uns an.',
        'Für alles mit einer Vorgangsnummer ist die Mail trotzdem der kürzeste Weg.',
      ],
      () =>
        'eine Hotline haben wir nicht, aber wir rufen auf Wunsch an Werktagen zurück. Die Nummer genügt uns.',
    ],
  },
  {
    question: [
      () => 'ich habe eine Umfrage zu diesem Schriftwechsel bekommen. Ist die wirklich von Ihnen?',
      () => 'gestern kam eine Umfrage mit Ihrem Namen darauf. Ist die echt? Bei Links bin ich vorsichtig.',
      () => 'eine Frage zur Umfrage in meinem Postfach: Haben Sie die geschickt?',
    ],
    answer: [
      () =>
        'ja, die ist von uns. Sie besteht aus drei Fragen, will nichts Persönliches wissen und ist freiwillig.',
      () =>
        'gut, dass Sie fragen. Die Umfrage ist echt; nach Passwörtern oder Kartennummern fragen wir darin nie.',
      () => 'die kommt von uns. Wenn Sie nicht antworten möchten, löschen Sie die Mail einfach.',
    ],
  },
  {
    question: [
      () => 'welche Mailadresse haben Sie von mir gespeichert? Ich benutze zwei und verliere den Überblick.',
      () => 'unter welcher Adresse läuft mein Konto bei Ihnen? Ihre Mails landen mal hier, mal dort.',
      () => 'können Sie nachsehen, welche meiner Adressen bei Ihnen hinterlegt ist?',
    ],
    answer: [
      ({ address }) => `bei uns steht ${address}, und dorthin gehen alle unsere Nachrichten.`,
      ({ address }) => [
        `gespeichert ist nur ${address}.`,
        'Wenn Ihnen eine andere lieber ist, schreiben Sie uns von der neuen aus, dann ändern wir das.',
      ],
      ({ address }) => `es ist ${address}. Ändern können Sie das jederzeit in Ihrem Konto.`,
    ],
  },
  {
    question: [
      () => 'sind Sie über den Feiertag wie gewohnt zu erreichen?',
      () => 'kurze Frage: Liest dieses Postfach am Wochenende jemand?',
      () => 'wie sieht es bei Ihnen an Brückentagen aus, ist da jemand da?',
    ],
    answer: [
      () =>
        'an Sonn- und Feiertagen ist bei uns geschlossen. Was dann kommt, beantworten wir am nächsten Werktag.',
      () => 'samstags schaut vormittags jemand hinein, der Rest wartet bis Montag. An Feiertagen ist Ruhe.',
      () =>
        'an Werktagen ist immer jemand da, auch zwischen den Feiertagen. Nur sonntags bleibt alles liegen.',
    ],
  },
  {
    question: [
      () =>
        'bei der Arbeit habe ich Sie schon weiterempfohlen. Sie brauchen nicht zu antworten, das wollte ich nur loswerden.',
      () =>
        'ich habe Ihnen übrigens eine Bewertung geschrieben. Vier Sterne, den fünften gibt es für eine bessere Suche auf der Seite.',
      () => 'so einen Umgangston würde ich mir öfter wünschen. Das musste einmal gesagt werden.',
    ],
    answer: [
      () => 'damit haben Sie uns den Nachmittag gerettet. Vielen Dank!',
      () => 'das ist sehr freundlich von Ihnen. Ich habe es an alle hier weitergegeben.',
      () => 'herzlichen Dank, so etwas lesen wir gern.',
    ],
  },
]
