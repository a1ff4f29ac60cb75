/** What the evidence of gaps means by `SI`. */
export const evidenceNote =
  'SI is a public reference with the same paths and fields, wirebox-sh/docs at commit b341caa'
