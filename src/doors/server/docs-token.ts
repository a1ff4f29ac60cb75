import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { docsStyle } from './control/docs-page.js'
import type { AccessOptions } from './guards.js'

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API of agent-mailbox-sim</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${docsStyle}</style></head><body><main>
<h1>API of agent-mailbox-sim</h1>
<form><p>This server was started with --control-token. The page keeps the token only in memory.</p>
<p><label>Token <input type="password" name="token" required autofocus></label> <button>Continue</button></p>
<p role="alert"></p></form></main><script src="docs.js"></script></body></html>
`

/** Replaces the form by the page that the token gives access to, and lets its links to documents send the token, too. */
const script = `const form = document.querySelector('form')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const headers = { authorization: 'Bearer ' + form.elements.token.value }
  const answer = await fetch('docs', { headers })
  if (!answer.ok) {
    form.querySelector('[role=alert]').textContent = (await answer.json()).error.message
    return
  }
  const shown = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.head.replaceWith(shown.head)
  document.body.replaceWith(shown.body)
  for (const link of document.querySelectorAll('a[href$=".json"]')) {
    link.addEventListener('click', async (event) => {
      event.preventDefault()
      const document = await (await fetch(link.href, { headers })).blob()
      location.assign(URL.createObjectURL(document))
    })
  }
})
`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Asks a browser for the control token where the page of the APIs needs one: a link cannot send it. */
export function askForDocsToken({ isChosen }: AccessOptions): RequestHandler {
  return (request, response, next) => {
    if (isChosen && isPage(request)) send(response, 'text/html', page)
    else next()
  }
}

/** Serves the script of the form. */
export const docsTokenScript: RequestHandler = (_request, response) =>
  send(response, 'text/javascript', script)

function isPage({ headers }: IncomingMessage): boolean {
  return headers.authorization === undefined && headers.accept?.includes('text/html') === true
}

function send(response: Parameters<RequestHandler>[1], type: string, text: string): void {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  }
  response.writeHead(200, headers).end(text)
}
