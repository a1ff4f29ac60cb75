import type { Language } from '../language.js'

/** The opening tag of an HTML letter, e.g. `<html lang="ar" dir="rtl">`. */
export function htmlRoot({ tag, rightToLeft }: Language): string {
  if (tag === undefined) return '<html>'
  return rightToLeft === true ? `<html lang="${tag}" dir="rtl">` : `<html lang="${tag}">`
}
