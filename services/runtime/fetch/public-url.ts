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
  bad_port: 'must not have a port of another protocol, such as 22 or 25',
} as const

export type UrlFault = keyof typeof FAULTS

export const urlFaultText = (fault: UrlFault): string => FAULTS[fault]

/** The ports that a URL may have, explicit or default. */
export interface Ports {
  permits(port: number): boolean
  fault: UrlFault
}

export const WEB_PORTS: Ports = { permits: (port) => port === 80 || port === 443, fault: 'port' }

/** The bad ports of browsers, except 0: https://fetch.spec.whatwg.org/#port-blocking. */
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Databases and caches, which accept lines of an HTTP request as commands. */
const DATABASE_PORTS = new Set([1433, 1521, 3306, 4222, 5432, 6379, 9042, 11211, 27017])

export const UNRESERVED_PORTS: Ports = {
  permits: (port) => port > 0 && !BAD_PORTS.has(port) && !DATABASE_PORTS.has(port),
  fault: 'bad_port',
}

export function readUrl(text: string, ports: Ports): { url: URL } | { fault: UrlFault } {
  // A code point has 1 or 2 UTF-16 units. Longer texts are refused without counting.
  if (text.length > URL_LENGTH_MAX * 2 || [...text].length > URL_LENGTH_MAX) return { fault: 'length' }
  const authority = FORM.exec(text)?.groups?.authority
  const url = authority === undefined || AMBIGUOUS.test(text) ? null : URL.parse(text)
  if (!url) return { fault: 'form' }
  // An empty user name, which the parser drops, is refused as well.
  if (authority?.includes('@') || url.username !== '' || url.password !== '') return { fault: 'user_info' }
  return ports.permits(getPort(url)) ? { url } : { fault: ports.fault }
}

export const getPort = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** The host name without the brackets of IPv6, for resolvers and sockets. */
export const getHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
