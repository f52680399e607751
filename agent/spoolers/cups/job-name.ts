/** The maximum length of a name in IPP (RFC 8011, section 5.1.3). */
const NAME_MAX_BYTES = 255

/** The end of the name of a job. It finds a job whose id was not journaled. */
export const toNameSuffix = (token: string) => `[${token}]`

/** The title, truncated to the maximum length, and the token. CUPS rejects control characters. */
export function toJobName(title: string, token: string): string {
  const suffix = ` ${toNameSuffix(token)}`
  const clean = title
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return truncate(clean, NAME_MAX_BYTES - Buffer.byteLength(suffix)) + suffix
}

function truncate(text: string, maxBytes: number): string {
  let bytes = 0
  let result = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    result += character
  }
  return result
}
