/** The maximum length of a name in IPP (RFC 8011, section 5.1.3). */
const NAME_MAX_BYTES = 255

/** The end of the name of a job. It finds a job whose id was not journaled. */
export const toNameSuffix = (token: string) => `[${token}]`

/** The title, truncated to the maximum length, and the token. CUPS rejects control characters. */
export function toJobName(title: string, token: string): string {
  const suffix = ` ${toNameSuffix(token)}`
  return truncate(clean(title), NAME_MAX_BYTES - Buffer.byteLength(suffix)) + suffix
}

/** The name at a device, which can cut it: the token is at its beginning. */
export const toPrefixedName = (title: string, token: string): string =>
  truncate(`${toNameSuffix(token)} ${clean(title)}`, NAME_MAX_BYTES)

/** A printer can cut names. This many characters of a token are enough to tell it from all others. */
const CUT_NAME_MIN = 24

/** @param name of a job at a device, of this or an older agent, which has the token at its end. */
export const hasNamePrefix = (name: string, token: string): boolean =>
  name.includes(toNameSuffix(token)) || (name.length >= CUT_NAME_MIN && toNameSuffix(token).startsWith(name))

const clean = (title: string) =>
  title
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

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
