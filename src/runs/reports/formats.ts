/** The formats of reports; the last is a page that shows the recorded run. */
export const reportFormats = ['human', 'json', 'junit', 'markdown', 'html'] as const

/** A format of reports. */
export type ReportFormat = (typeof reportFormats)[number]
