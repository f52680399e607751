const LENGTH_MAX = 60

/** A text of others in a mail, which must not look like a part of the mail. */
export const toLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()

/** A name or title in a mail. */
export function toShortLine(text: string): string {
  const line = [...toLine(text)]
  return line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX).join('')} …` : line.join('')
}
