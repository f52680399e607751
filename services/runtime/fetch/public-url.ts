/** Checks the form of user-supplied URLs. `public-network.ts` checks the addresses of the host. */
import { URL_LENGTH_MAX } from '@platen/resources/limits.ts'

/** Refuses `http:host` and `http:\\host`, which the URL standard accepts. */
const FORM = /^https?:\/\/(?<authority>[^/?#]+)/i
/** Whitespace, control characters and backslashes, which URL parsers treat differently. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const AMBIGUOUS = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/

/** Each text is a clause that follows the name of the field. */
const FAULTS = {
  length: `must have at most ${URL_LENGTH_MAX} characters`,
  form: 'must be an http or https URL, such as https://example.com/file',
  user_info: 'must not contain a user name or password',
  port: 'must have port 80 or 443',
} as const

export type UrlFault = keyof typeof FAULTS

export const urlFaultText = (fault: UrlFault): string => FAULTS[fault]

/** Allowed ports, explicit or default. */
export type Ports = readonly number[] | 'any'

export function readUrl(text: string, ports: Ports): { url: URL } | { fault: UrlFault } {
  // A code point has 1 or 2 UTF-16 units. Longer texts are refused without counting.
  if (text.length > URL_LENGTH_MAX * 2 || [...text].length > URL_LENGTH_MAX) return { fault: 'length' }
  const authority = FORM.exec(text)?.groups?.authority
  const url = authority === undefined || AMBIGUOUS.test(text) ? null : URL.parse(text)
  if (!url) return { fault: 'form' }
  // Also refuses an empty user name, which the parser drops.
  if (authority?.includes('@') || url.username !== '' || url.password !== '') return { fault: 'user_info' }
  return ports === 'any' || ports.includes(getPort(url)) ? { url } : { fault: 'port' }
}

export const getPort = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** The host name without the brackets of IPv6, for resolvers and sockets. */
export const getHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
