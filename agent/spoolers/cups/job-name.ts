/** Octets of a name in IPP (RFC 8011, section 5.1.3). */
const NAME_MAX_BYTES = 255

/** By what a job's name ends: the token finds it again when its id got lost. */
export const nameEnding = (token: string) => `[${token}]`

/** The title for people, as far as there is room, and the token. CUPS takes no control characters. */
export function jobName(title: string, token: string): string {
  const ending = ` ${nameEnding(token)}`
  const clean = title
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return cut(clean, NAME_MAX_BYTES - Buffer.byteLength(ending)) + ending
}

function cut(text: string, maxBytes: number): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    kept += character
  }
  return kept
}
