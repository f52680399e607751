/** The form of a URL that somebody else gave us to request. Where its host leads to is another question: `public-network.ts`. */

const URL_LENGTH_MAX = 2048
/** `http:host` and `http:\\host` are taken by the URL standard, but by nobody who means well. */
const FORM = /^https?:\/\/(?<authority>[^/?#]+)/i
/** Parsers differ in what they make of these: whitespace, controls, backslashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const AMBIGUOUS = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/

/** What is wrong with a URL, in a clause that follows its name. */
const FAULTS = {
  length: `must have at most ${URL_LENGTH_MAX} characters`,
  form: 'must be an http or https URL, such as https://example.com/file',
  user_info: 'must not contain a user name or password',
  port: 'must have port 80 or 443',
} as const

export type UrlFault = keyof typeof FAULTS

export const urlFaultText = (fault: UrlFault): string => FAULTS[fault]

/** The ports that a URL may name, or have by default. */
export type Ports = readonly number[] | 'any'

export function readUrl(text: string, ports: Ports): { url: URL } | { fault: UrlFault } {
  // A code point is 1 or 2 UTF-16 units: nothing that cannot fit is counted.
  if (text.length > URL_LENGTH_MAX * 2 || [...text].length > URL_LENGTH_MAX) return { fault: 'length' }
  const authority = FORM.exec(text)?.groups?.authority
  const url = authority === undefined || AMBIGUOUS.test(text) ? null : URL.parse(text)
  if (!url) return { fault: 'form' }
  // Also an empty one, which the parser drops.
  if (authority?.includes('@') || url.username !== '' || url.password !== '') return { fault: 'user_info' }
  return ports === 'any' || ports.includes(portOf(url)) ? { url } : { fault: 'port' }
}

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** As resolvers and sockets take it: without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
