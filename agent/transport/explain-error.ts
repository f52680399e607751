/** Explains network errors and how to fix them. Used by `enroll`, `doctor` and the stream. */
import { ProxyFailure } from './tunnel.ts'

const CLOCK_HINT = 'If that is not plausible, the clock of this computer is wrong'

/** A connection or its TLS handshake that does not complete. */
const noAnswer = (host: string) =>
  `${host} does not answer. Check firewalls, and whether a proxy is required (HTTPS_PROXY).`

const noTls = (host: string) => `${host} does not use TLS on this port. Check http:// or https://.`

/** Sentences by the error code of Node. */
const SENTENCES: Record<string, (host: string) => string> = {
  ENOTFOUND: (host) => `The host name ${host} cannot be resolved. Check its spelling and the DNS of this computer.`,
  EAI_AGAIN: (host) => `No DNS server responds to queries for ${host}. Check the network connection of this computer.`,
  ECONNREFUSED: (host) => `Nothing listens at ${host}. Check the address and the port, and whether the service runs.`,
  ECONNRESET: (host) => `${host} reset the connection. Check http or https, and firewalls.`,
  EHOSTUNREACH: (host) => `No route to ${host}. Check the network connection of this computer.`,
  ENETUNREACH: (host) => `No route to ${host}. Check the network connection of this computer.`,
  ETIMEDOUT: noAnswer,
  ERR_TLS_HANDSHAKE_TIMEOUT: (host) =>
    `${host} accepts connections, but the TLS handshake is not answered. ${LARGE_PACKETS}`,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: (host) =>
    `${host} does not support HTTP/2, which the agent requires. Check the proxies and load balancers before the service.`,
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired. Renew it on the server. ${CLOCK_HINT}.`,
  CERT_NOT_YET_VALID: (host) => `The certificate of ${host} is not valid yet. ${CLOCK_HINT}: set it.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `The certificate is not valid for ${host}. Use a name in the certificate, or issue a new one.`,
}

/** Small packets arrive, and large ones do not. */
export const LARGE_PACKETS =
  'A VPN, a firewall or a router may drop large packets: set a smaller MTU, such as 1280, on this computer, or let ICMP "packet too big" pass.'

const UNKNOWN_CA = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_UNTRUSTED',
]

const HTTP_MEANINGS: Record<number, string> = {
  401: 'It requires a sign-in',
  403: 'It forbids the connection',
  404: 'It has no such address',
  407: 'It requires a password',
  429: 'It limits the number of requests',
  502: 'It does not reach the service',
  503: 'It does not reach the service',
  504: 'It does not reach the service',
  511: 'It requires a sign-in to the network',
}

/** @param host as entered by the user. */
export function explain(error: unknown, host: string): string {
  if (error instanceof ProxyFailure) return explainProxy(error, host)
  const code = getCode(error)
  if (UNKNOWN_CA.includes(code))
    return `The certificate of ${host} was issued by an unknown authority. If it is your own, set its certificate: --ca-file FILE with enroll, or "caFile" in agent.json.`
  const sentence = SENTENCES[code]
  if (sentence) return sentence(host)
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return noAnswer(host)
  // The text of OpenSSL has addresses and paths of its source.
  const reason = code.startsWith('ERR_SSL_') ? code : error instanceof Error ? error.message : String(error)
  return `The connection to ${host} failed: ${reason}.`
}

/** @returns for example "HTTP status 407. It requires a password", about the server that has answered with it. */
export function explainHttpStatus(status: number): string {
  const meaning =
    status >= 300 && status < 400 ? 'It redirects, as sign-in pages of networks do' : HTTP_MEANINGS[status]
  return `HTTP status ${status}${meaning ? `. ${meaning}` : ''}`
}

function explainProxy({ proxy, hasPassword, status, cause }: ProxyFailure, host: string): string {
  const settings = 'HTTPS_PROXY, HTTP_PROXY or "proxy" of agent.json'
  if (status === undefined)
    return `The proxy ${proxy} is not reachable (${getCode(cause) || 'no answer'}). Check its address in ${settings}, and whether it runs.`
  if (status === 407 && hasPassword)
    return `The proxy ${proxy} refuses the user and the password of ${settings} (HTTP status 407).`
  if (status === 407)
    return `The proxy ${proxy} requires a password (HTTP status 407). Write it into ${settings}: http://user:password@${proxy}.`
  const permit = status < 500 ? ' It must permit CONNECT to this host and port.' : ''
  return `The proxy ${proxy} refuses the connection to ${host} with ${explainHttpStatus(status)}.${permit}`
}

/**
 * @returns the code of Node; empty without one. For several addresses, Node reports all failures; the first is used.
 */
export function getCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getCode(error.errors[0])
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'AbortError')
    return error.code
  return error instanceof Error && error.cause !== undefined ? getCode(error.cause) : ''
}
