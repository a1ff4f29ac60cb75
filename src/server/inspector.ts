import { readFile } from 'node:fs/promises'
import { type RequestHandler, Router } from 'express'
import { builtFolder } from '../contract/package.js'

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'index.js': 'text/javascript; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
}

/** Inline styles are for the mail in the frame, whose own policy and sandbox are stricter still; scripts are the page's own. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the inspector's page and its two files. */
export function createInspector(): Router {
  const router = Router({ strict: true })
  router.get('/', sendFile('index.html'))
  router.get('/index.js', sendFile('index.js'))
  router.get('/index.css', sendFile('index.css'))
  return router
}

function sendFile(name: string): RequestHandler {
  return async (_request, response) => {
    const file = await readFile(new URL(`inspector/${name}`, builtFolder)).catch(() => undefined)
    const headers = {
      'content-type': types[name] as string,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    }
    if (file) response.writeHead(200, headers).end(file)
    else
      response
        .writeHead(404, { 'content-type': 'text/plain' })
        .end('The inspector was not built: npm run build.\n')
  }
}
