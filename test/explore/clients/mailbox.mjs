const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env

/** What the service answers to a GET. */
export async function get(path) {
  const answer = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

/** A page of the desk's threads. */
export function page(offset, limit = 100) {
  return get(`/api/v1/mail/threads?agent=support&limit=${limit}&offset=${offset}`)
}
