/** The formats of reports: `html` is a page that shows the recorded run, `github` are annotations of a workflow. */
export const reportFormats = ['human', 'json', 'junit', 'markdown', 'html', 'github'] as const

/** A format of reports. */
export type ReportFormat = (typeof reportFormats)[number]

/** The formats of reports that are about no single run, which therefore have no page of one. */
export const textFormats = ['human', 'json', 'junit', 'markdown', 'github'] as const
