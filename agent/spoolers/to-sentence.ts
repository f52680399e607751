/**
 * The text with a full stop, unless it ends with a punctuation mark. Texts of printers and drivers lack it, and
 * messages of a job are joined with its warnings.
 */
export function toSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
