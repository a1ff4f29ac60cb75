/** Shows how far something is, on one line of a terminal; nobody reads it elsewhere. */
export function progressOf(name, stream = process.stderr) {
  return (text) => {
    // A terminal need not tell how wide it is.
    const width = (stream.columns || 80) - 1
    if (stream.isTTY) stream.write(`\r\x1b[K${`${name}: ${text}`.slice(0, width)}`)
  }
}

/** Takes that line away. */
export function clearProgress(stream = process.stderr) {
  if (stream.isTTY) stream.write('\r\x1b[K')
}
