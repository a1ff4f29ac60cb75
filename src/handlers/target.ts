import type { ServiceRequest } from './service-request.js'

/** Which origin, and which path before `/api/v1`, the service is simulated at. */
export interface Site {
  /** Undefined where any origin will do. */
  readonly origin: string | undefined
  /** Path before `/api/v1`, without a trailing slash. */
  readonly prefix: string
  /** As MSW shows it before a handler's path. */
  readonly pattern: string
}

/** Where a request is aimed at, as far as the simulator is concerned. */
export interface Target {
  readonly origin: string
  /** Path below the site, e.g. `/api/v1/webhooks`. */
  readonly path: string
  /** The address below which stored files are served. */
  readonly base: string
  /** The query with its `?`, or nothing. */
  readonly search: string
}

/** Reads a base URL; `*` stands for any origin. @throws TypeError when it is neither. */
export function parseSite(baseUrl: string): Site {
  if (baseUrl === '*') return { origin: undefined, prefix: '', pattern: '*' }
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw new TypeError(`baseUrl "${baseUrl}" is neither "*" nor an http(s) URL such as http://mailbox.test.`)
  }
  const url = new URL(baseUrl)
  const prefix = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, prefix, pattern: `${url.origin}${prefix}` }
}

/** Finds a request's target at a site; undefined when it goes elsewhere. Parses each request once. */
export class Targets {
  readonly #site: Site
  readonly #known = new WeakMap<ServiceRequest, Target | null>()

  constructor(site: Site) {
    this.#site = site
  }

  /** The target of a request, or undefined when it is not for this site. */
  of(request: ServiceRequest): Target | undefined {
    let target = this.#known.get(request)
    if (target === undefined) {
      target = this.#parse(request.url)
      this.#known.set(request, target)
    }
    return target ?? undefined
  }

  #parse(text: string): Target | null {
    const { origin, prefix } = this.#site
    const url = new URL(text)
    if (origin !== undefined && url.origin !== origin) return null
    if (!url.pathname.startsWith(`${prefix}/`)) return null
    return {
      origin: url.origin,
      path: url.pathname.slice(prefix.length),
      base: `${url.origin}${prefix}`,
      search: url.search,
    }
  }
}
