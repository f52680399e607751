/** Explains network errors and how to fix them. Used by `enroll` and `doctor`. */

const CLOCK_HINT = 'If that is not plausible, the clock of this computer is wrong'

/** By error code of Node. */
const SENTENCES: Record<string, (host: string) => string> = {
  ENOTFOUND: (host) => `The host name ${host} cannot be resolved. Check its spelling and the DNS of this computer.`,
  EAI_AGAIN: (host) => `No DNS server responds to queries for ${host}. Check the network connection of this computer.`,
  ECONNREFUSED: (host) => `Nothing listens at ${host}. Check the address and the port, and whether the service runs.`,
  ECONNRESET: (host) => `${host} reset the connection. Check http or https, and firewalls.`,
  EHOSTUNREACH: (host) => `No route to ${host}. Check the network connection of this computer.`,
  ENETUNREACH: (host) => `No route to ${host}. Check the network connection of this computer.`,
  ETIMEDOUT: (host) => `${host} does not answer. Check firewalls, and whether a proxy is required (HTTPS_PROXY).`,
  ERR_PROXY_TUNNEL: () =>
    'The proxy refused the connection to the service. It must allow CONNECT to its host and port.',
  EPROTO: (host) => `${host} does not use TLS on this port. Check http:// or https://.`,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired. Renew it on the server. ${CLOCK_HINT}.`,
  CERT_NOT_YET_VALID: (host) => `The certificate of ${host} is not valid yet. ${CLOCK_HINT}: set it.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `The certificate is not valid for ${host}. Use a name in the certificate, or issue a new one.`,
}

const UNKNOWN_CA = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_UNTRUSTED',
]

/** @param host as entered by the user. */
export function explain(error: unknown, host: string): string {
  const code = getCode(error)
  if (UNKNOWN_CA.includes(code))
    return `The certificate of ${host} was issued by an unknown authority. If it is your own, set its certificate: --ca-file FILE with enroll, or "caFile" in agent.json.`
  const sentence = SENTENCES[code]
  if (sentence) return sentence(host)
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `${host} does not answer. Check firewalls, and whether a proxy is required (HTTPS_PROXY).`
  return `The connection to ${host} failed: ${error instanceof Error ? error.message : String(error)}.`
}

/** For several addresses, Node reports all failures; the first is used. */
function getCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getCode(error.errors[0])
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'AbortError')
    return error.code
  return error instanceof Error && error.cause !== undefined ? getCode(error.cause) : ''
}
