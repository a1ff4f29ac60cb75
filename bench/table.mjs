// The next larger unit of each unit, and the value from which it is used.
const larger = {
  µs: { from: 10_000, unit: 'ms' },
  ms: { from: 10_000, unit: 's' },
  B: { from: 1_000, unit: 'kB' },
  kB: { from: 1_000, unit: 'MB' },
}

/** Returns a table; a cell is a text, a number, or a figure (`figureOf` in rounds.mjs). */
export function table(head, rows) {
  return { head, rows }
}

/** Formats a table as Markdown. */
export function markdownOf({ head, rows }) {
  const line = (cells) => `| ${cells.map(formatCell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Formats a number with its unit, e.g. `163 µs`, `18.3 s`, `0.62`. */
export function formatValue(value, unit) {
  const [scaled, shown] = scale(value, unit)
  return `${format(scaled, shown)}${suffix(shown)}`
}

function formatCell(cell) {
  if (typeof cell === 'number') return cell.toLocaleString('en')
  return typeof cell === 'object' ? formatFigure(cell) : cell
}

/** Formats a figure as `163 µs (151–190)`: median, minimum and maximum. */
function formatFigure({ median, least, most, unit }) {
  const [scaled, shown] = scale(median, unit)
  const times = scaled / median || 1
  const spread = least === most ? '' : ` (${format(least * times, shown)}–${format(most * times, shown)})`
  return `${format(scaled, shown)}${suffix(shown)}${spread}`
}

function scale(value, unit) {
  const next = larger[unit]
  return next && value >= next.from ? scale(value / 1000, next.unit) : [value, unit]
}

function format(value, unit) {
  if (unit === '×') return value.toFixed(2)
  const digits = Number.isInteger(value) || value >= 100 ? 0 : 1
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function suffix(unit) {
  return unit === '×' || unit === '' ? '' : ` ${unit}`
}
