/** The fragment of the page of a printer that leads to its language. */
export const LANGUAGE_HASH = 'language'
