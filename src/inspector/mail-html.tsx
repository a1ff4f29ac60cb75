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

const ownStyle =
  'body{margin:8px;font:14px/1.5 system-ui,sans-serif;background:#fff;color:#111;overflow-wrap:anywhere}a{color:#0b57d0;text-decoration:underline}img{max-width:100%}'

/**
 * Returns a document that shows the HTML of a message without scripts, links, forms and network requests. The sandbox of the
 * frame and the policy in the document would each prevent these on their own.
 */
function safeMailDocument(html: string, images: ReadonlyMap<string, string>): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(dangerous)) element.remove()
  for (const element of mail.querySelectorAll('*')) {
    const image = images.get(contentId(element))
    const target = element.getAttribute('href')
    for (const { name } of [...element.attributes]) {
      if (!harmless.has(name.toLowerCase())) element.removeAttribute(name)
    }
    const { style } = element as HTMLElement
    if (element.hasAttribute('style')) element.setAttribute('style', withoutAddresses(style.cssText))
    if (image !== undefined) element.setAttribute('src', image)
    if (target !== null && element.localName === 'a') element.setAttribute('title', target)
  }
  const sheets = [...mail.querySelectorAll('style')].map(({ textContent }) => safeSheet(textContent ?? ''))
  for (const element of mail.querySelectorAll('style')) element.remove()
  const isRightToLeft = mail.documentElement.dir === 'rtl'
  // If the body was a frameset, it has been removed.
  return `<!doctype html><html${isRightToLeft ? ' dir="rtl"' : ''}><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${ownStyle}</style><style>${sheets.join('\n')}</style></head><body>${mail.body?.innerHTML ?? ''}</body></html>`
}

/** Returns a style sheet in the browser's own serialization, which omits imports, without URLs. */
function safeSheet(css: string): string {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const rules = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n')
  return withoutAddresses(rules).replaceAll('</', '<\\/')
}

/** Removes URLs that would be loaded; the browser's own serialization of CSS contains no escapes that could hide one. */
function withoutAddresses(css: string): string {
  return css.replace(/url\("((?:[^"\\]|\\.)*)"\)/gi, (url, address: string) => {
    return address.startsWith('data:image/') ? url : 'none'
  })
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
