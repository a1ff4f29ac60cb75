/** Elements that could run scripts, load resources, submit data or navigate. */
const dangerous =
  'script, iframe, frame, frameset, object, embed, applet, portal, form, input, button, select, textarea, base, meta, link, audio, video, source, track, template, svg, math, dialog'

/** Attributes that only affect the appearance of a message; all others are removed. */
const harmless = new Set(
  (
    'align alt bgcolor border cellpadding cellspacing class color cols colspan dir face height lang nowrap rows rowspan size ' +
    'span style title type valign width'
  ).split(' '),
)

/** What the frame may load, whatever the mail's own styles ask for. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

const style =
  'body{margin:8px;font:14px/1.5 system-ui,sans-serif;background:#fff;color:#111;overflow-wrap:anywhere}a{color:#0b57d0;text-decoration:underline}img{max-width:100%}'

/**
 * Returns a document that shows the HTML of a message without scripts, links, forms and network requests. The sandbox of the
 * frame and the policy in the document would each prevent these on their own.
 */
export function safeMailDocument(html: string, images: ReadonlyMap<string, string>): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(dangerous)) element.remove()
  for (const element of mail.querySelectorAll('*')) {
    const image = images.get(contentId(element))
    const target = element.getAttribute('href')
    for (const { name } of [...element.attributes]) {
      if (!harmless.has(name.toLowerCase())) element.removeAttribute(name)
    }
    if (image !== undefined) element.setAttribute('src', image)
    if (target !== null && element.localName === 'a') element.setAttribute('title', target)
  }
  const isRightToLeft = mail.documentElement.dir === 'rtl'
  const sheets = [...mail.head.querySelectorAll('style')].map((sheet) => sheet.outerHTML)
  // If the body was a frameset, it has been removed.
  return `<!doctype html><html${isRightToLeft ? ' dir="rtl"' : ''}><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>${sheets.join('')}</head>${mail.body?.outerHTML ?? ''}</html>`
}

function contentId(element: Element): string {
  const src = element.localName === 'img' ? (element.getAttribute('src') ?? '') : ''
  return src.toLowerCase().startsWith('cid:') ? src.slice(4) : ''
}

/** Renders the HTML of a message in a frame without scripts, network access or navigation. */
export function MailFrame({ html, images }: { html: string; images: ReadonlyMap<string, string> }) {
  return (
    <iframe
      class="mail-frame"
      title="HTML of the message"
      sandbox=""
      srcdoc={safeMailDocument(html, images)}
    />
  )
}
