const LENGTH_MAX = 60

/** A name or title in a mail. It is a text of others, which must not look like a part of the mail. */
export function toLine(text: string): string {
  const line = [...text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()]
  return line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX).join('')} …` : line.join('')
}
