/**
 * Languages of raw printers (`socket:`). The agent draws PDFs in the first ones; in the others it only asks the printer
 * for its state.
 */
export const DRAWN_LANGUAGES = ['zpl', 'escpos'] as const
export const RAW_LANGUAGES = [...DRAWN_LANGUAGES, 'star', 'sbpl', 'pjl'] as const

export type DrawnLanguage = (typeof DRAWN_LANGUAGES)[number]
export type RawLanguage = (typeof RAW_LANGUAGES)[number]
