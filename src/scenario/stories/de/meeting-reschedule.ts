import { DAY, formatTime, MINUTE, startOfDay, workdayAfter } from '../facts/calendar.js'
import { capitalized } from '../letters/capitalized.js'
import { plainFarewells } from './closing-words.js'
import { formatDay, formatWeekdayName } from './facts/dates.js'
import { conversation } from './german.js'

// All feminine: the wordings say `die` and `der`.
const MEETINGS = [
  'Quartalsbesprechung',
  'Projektsitzung',
  'Vertragsverhandlung',
  'Auftaktbesprechung',
  'Budgetrunde',
  'Jahresplanung',
] as const
const REASONS = [
  'ich habe an dem Tag einen Gerichtstermin',
  'die Wirtschaftsprüfer haben sich für genau diesen Tag angekündigt',
  'mein Rückflug wurde verlegt',
  'die Kita hat an dem Tag geschlossen',
  'man hat mich doppelt verplant',
  'das halbe Team ist auf einer Schulung',
] as const

/** Somebody asks to move a meeting. */
export const meetingReschedule = conversation({
  name: 'meeting-reschedule',
  category: 'calendar',
  weight: 4,
  facts: (random, setting) => {
    const oldDay = workdayAfter(startOfDay(setting.begins) + random.integer(6, 11) * DAY)
    const newDay = workdayAfter(oldDay + random.integer(1, 5) * DAY)
    return {
      meeting: random.pick(MEETINGS),
      reason: random.pick(REASONS),
      oldDay: formatDay(oldDay),
      oldTime: formatTime(random.integer(18, 32) * 30 * MINUTE),
      newDay: formatDay(newDay),
      newWeekday: formatWeekdayName(newDay),
      newTime: formatTime(random.integer(18, 32) * 30 * MINUTE),
      code: random.integer(1_000, 9_999),
      guests: random.integer(3, 8),
    }
  },
  subject: [
    (f) => `Verschiebung der ${f.meeting} am ${f.oldDay}`,
    (f) => `${f.meeting}: geht auch der ${f.newDay}?`,
    (f) => `Terminänderung: ${f.oldDay}, ${f.oldTime} Uhr`,
    (f) => `${f.meeting} – ich muss leider absagen`,
  ],
  opening: [
    (f) => [
      `leider kann ich zur ${f.meeting} am ${f.oldDay} um ${f.oldTime} Uhr nicht kommen: ${capitalized(f.reason)}.`,
      `Würde Ihnen ${f.newWeekday}, der ${f.newDay}, um ${f.newTime} Uhr passen?`,
    ],
    (f) =>
      `können wir die ${f.meeting} vom ${f.oldDay}, ${f.oldTime} Uhr, auf den ${f.newDay}, ${f.newTime} Uhr, verlegen? Ort und Runde bleiben gleich, wir wären wieder ${inWords(f.guests)} Personen.`,
    (f) => [
      `das wird Ihnen nicht gefallen, nachdem wir so lange nach einem Termin gesucht haben. Aber ${f.reason}, damit fällt der ${f.oldDay} aus.`,
      `Ich habe mich umgehört: Am ${f.newDay} könnten bei uns alle, am liebsten um ${f.newTime} Uhr. Was sagt Ihr Kalender?`,
    ],
    (f) => [
      `entschuldigen Sie, dass ich so kurzfristig schreibe. Am ${f.oldDay} ist mir etwas dazwischengekommen (${f.reason}).`,
      `Könnten wir die ${f.meeting} verschieben? Mein Vorschlag: ${f.newWeekday}, ${f.newDay}, ${f.newTime} Uhr.`,
    ],
  ],
  answer: [
    (f) => [
      `kein Problem. Am ${f.newDay} um ${f.newTime} Uhr ist bei uns frei, ich habe die ${f.meeting} vorläufig dorthin gelegt.`,
      `Lade ich wieder dieselben ${inWords(f.guests)} Personen ein, und bleibt es bei einer Stunde?`,
    ],
    (f) => [
      `danke, dass Sie so früh Bescheid geben. Der ${f.oldDay} ist gestrichen, der ${f.newDay} um ${f.newTime} Uhr mit Bleistift eingetragen.`,
      'Bevor die neue Einladung hinausgeht: wie geplant vor Ort oder als Videokonferenz?',
    ],
    (f) =>
      `das passt uns gut. Ich trage den ${f.newDay} ab ${f.newTime} Uhr ein. Möchten Sie bei der Gelegenheit noch etwas auf die Tagesordnung setzen?`,
  ],
  reaction: [
    () => 'am besten als Videokonferenz, eine Stunde, dieselbe Runde. Zur Tagesordnung habe ich nichts.',
    (f) =>
      `dieselbe Runde, bitte. Wenn es als Videokonferenz ginge, umso besser: ${f.newTime} Uhr wird mit Anreise knapp.`,
    (f) =>
      `sehr gut. Planen Sie bitte zehn Minuten für Fragen zum Budget ein, und sagen Sie den anderen, dass der ${f.oldDay} entfällt.`,
  ],
  solution: [
    (f) => [
      `die Einladung für den ${f.newDay}, ${f.newTime} Uhr, ist an alle hinaus, der alte Termin ist abgesagt.`,
      `Wir machen es als Videokonferenz, der Zugangscode ist ${f.code}.`,
    ],
    (f) =>
      `alles geändert: ${f.newWeekday}, ${f.newDay}, ${f.newTime} Uhr, Einwahl mit dem Code ${f.code}. Bisher hat niemand widersprochen.`,
    (f) => [
      `ich habe allen ${inWords(f.guests)} den neuen Termin geschickt und den alten zurückgezogen.`,
      `Wer nicht vor Ort sein kann, wählt sich mit ${f.code} ein. Bis dann!`,
    ],
  ],
  thanks: [
    (f) => `die Einladung ist da, der ${f.newDay} steht im Kalender. Vielen Dank!`,
    () => 'zugesagt. Sie haben mir ein sehr unangenehmes Telefonat erspart.',
    () => 'danke, und noch einmal Entschuldigung für die Umstände. Der nächste Kaffee geht auf mich.',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'wer schreibt diesmal das Protokoll? Die letzten beiden Male war ich dran.',
        (f) => `soll ich für die ${f.meeting} etwas vorbereiten?`,
        () => 'kommt vorab noch eine Tagesordnung?',
      ],
      answer: [
        () => 'das Protokoll übernehmen wir. Bringen Sie bitte nur die Zahlen vom letzten Quartal mit.',
        (f) => `nur die Zahlen vom letzten Mal. Fürs Protokoll der ${f.meeting} haben wir jemanden.`,
        () => 'ja, zwei Tage vorher an alle, zusammen mit den Unterlagen.',
      ],
    },
    {
      question: [
        (f) => `der Code ${f.code} wird nicht angenommen. Gibt es einen anderen Weg?`,
        () => 'einer von uns hat die Einladung nicht bekommen. Können Sie sie noch einmal an alle schicken?',
        (f) => `darf ich zur ${f.meeting} noch eine Kollegin mitbringen?`,
      ],
      answer: [
        (f) =>
          `die Einladung ging eben noch einmal an alle. Der Code ist weiterhin ${f.code}, gefolgt von der Rautetaste.`,
        () =>
          'jetzt sollte sie überall im Postfach sein, mit einem Link für alle, die keinen Code tippen möchten.',
        (f) => `sehr gern, der Code ${f.code} gilt auch für sie.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'meeting.ics', filename: `Termin-${f.code}.ics` } : undefined,
})

const NUMBERS = ['drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht'] as const

/** A number from 3 to 8. */
function inWords(guests: number): string {
  return NUMBERS[guests - 3] as string
}
