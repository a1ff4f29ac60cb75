import type { Gender } from '../story.js'

/** The form of a word that suits a person, e.g. `ravie` or `ravi`; the last one where the gender is unknown. */
export function gendered<T>({ gender }: { readonly gender: Gender }, female: T, male: T): T {
  return gender === 'female' ? female : male
}
