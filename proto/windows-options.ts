/**
 * The print options that no printer on Windows applies. The service drops them with a warning; an agent drops those
 * that it gets.
 */
const IGNORED = new Set(['nup', 'dpi', 'media', 'collate'])

export const isIgnoredOnWindows = (name: string, value?: unknown): boolean =>
  IGNORED.has(name) || (name === 'rotate' && value === 180)
