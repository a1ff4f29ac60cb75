/** What tools say of a gap that nothing depends on yet. */
export const pendingNote = 'registered; deliveries are not simulated yet'

/** What the evidence of gaps means by `SI`. */
export const evidenceNote =
  'SI is a public reference with the same paths and fields, wirebox-sh/docs at commit b341caa'
