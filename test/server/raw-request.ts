import { connect, type Socket } from 'node:net'

/** Opens a connection without any HTTP client in between. */
export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // A server may end a connection that is still being written to.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

/** A received answer. */
export interface RawAnswer {
  readonly status: number
  /** By names in lower case. Not `Headers`, with which Node loads its HTTP client. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Reads all answers of a connection until the server ends it. */
export async function readAnswers(socket: Socket): Promise<RawAnswer[]> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  const answers: RawAnswer[] = []
  let rest = Buffer.concat(chunks)
  while (rest.length > 0) {
    const [answer, consumed] = parseAnswer(rest)
    answers.push(answer)
    rest = rest.subarray(consumed)
  }
  return answers
}

/** Sends bytes and reads one answer; the server must end the connection. */
export async function sendRaw(url: string, request: string): Promise<RawAnswer> {
  const socket = await openSocket(url)
  const answers = readAnswers(socket)
  socket.write(request, 'latin1')
  const [answer, ...further] = await answers
  if (!answer || further.length > 0) throw new Error(`Expected one answer, not ${further.length + 1}.`)
  return answer
}

/** The text of a request after which the connection ends. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const fields = Object.entries({ host: 'localhost', connection: 'close', ...headers })
  return `${line} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

function parseAnswer(bytes: Buffer): [RawAnswer, number] {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3}) [A-Z][\w ]+$/.exec(first)?.[1]
  if (end < 0 || status === undefined) throw new Error(`This is no answer: ${bytes.toString('latin1')}`)
  const fields = lines.map((line) => line.split(': ') as [string, string])
  const headers = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
  const start = end + 4
  if (headers.get('transfer-encoding') === 'chunked') {
    const [body, stop] = parseChunks(bytes, start)
    return [{ status: Number(status), headers, body: body.toString('utf8') }, stop]
  }
  const stop = start + Number(headers.get('content-length') ?? 0)
  return [{ status: Number(status), headers, body: bytes.subarray(start, stop).toString('utf8') }, stop]
}

/** Returns the content of chunks, and where they end. */
function parseChunks(bytes: Buffer, start: number): [Buffer, number] {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    if (line < 0 || Number.isNaN(length)) throw new Error('These are no chunks.')
    if (length === 0) return [Buffer.concat(chunks), line + 4]
    chunks.push(bytes.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
}
