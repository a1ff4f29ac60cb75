/** The formats of reports; the last is a page that shows the recorded run. */
export const reportFormats = ['human', 'json', 'junit', 'markdown', 'html'] as const

/** A format of reports. */
export type ReportFormat = (typeof reportFormats)[number]

/** The formats of reports that are about no single run, which therefore have no page of one. */
export const textFormats = ['human', 'json', 'junit', 'markdown'] as const
