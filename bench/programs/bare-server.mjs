import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

// Answers every request with the page in a file, stringified each time. Arguments: the file and a port.
const [file, port] = process.argv.slice(2)
const page = JSON.parse(readFileSync(file, 'utf8'))

createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(page))
}).listen(Number(port), '127.0.0.1')
