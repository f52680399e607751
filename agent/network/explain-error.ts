/** Failures of the network in sentences that say what to do. Used by whatever a person runs: `enroll` and `doctor`. */

const CLOCK_HINT = 'If that cannot be, the clock of this computer is wrong'

/** By the code of Node's error. */
const SENTENCES: Record<string, (host: string) => string> = {
  ENOTFOUND: (host) => `The name ${host} is not known. Check its spelling and the DNS of this computer.`,
  EAI_AGAIN: (host) => `No DNS server answers when asked for ${host}. Check the network connection of this computer.`,
  ECONNREFUSED: (host) => `Nothing listens at ${host}. Check the address and the port, and whether the service runs.`,
  ECONNRESET: (host) => `${host} broke the connection off. Is it http where https is meant, or a firewall in between?`,
  EHOSTUNREACH: (host) => `There is no way to ${host}. Check the network connection of this computer.`,
  ENETUNREACH: (host) => `There is no way to ${host}. Check the network connection of this computer.`,
  ETIMEDOUT: (host) => `${host} does not answer. Is a firewall in between, or is a proxy needed (HTTPS_PROXY)?`,
  ERR_PROXY_TUNNEL: () => 'The proxy refuses to connect to the service. It must allow CONNECT to its host and port.',
  EPROTO: (host) => `${host} does not speak TLS at this port. Is it http:// rather than https://?`,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired: it must be renewed there. ${CLOCK_HINT}.`,
  CERT_NOT_YET_VALID: (host) => `The certificate of ${host} is not valid yet. ${CLOCK_HINT}: set it.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `The certificate is not for ${host}. Use the name that the certificate is for, or have it renewed.`,
}

const UNKNOWN_CA = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_UNTRUSTED',
]

/** @param host as the person wrote it. */
export function explain(error: unknown, host: string): string {
  const code = getCode(error)
  if (UNKNOWN_CA.includes(code))
    return `The certificate of ${host} comes from an authority that this computer does not know. If it is your own, name its certificate: --ca-file FILE with enroll, or "caFile" in agent.json.`
  const sentence = SENTENCES[code]
  if (sentence) return sentence(host)
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `${host} does not answer. Is a firewall in between, or is a proxy needed (HTTPS_PROXY)?`
  return `The connection to ${host} failed: ${error instanceof Error ? error.message : String(error)}.`
}

/** Of several addresses that were tried Node tells all failures; the first will do. */
function getCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getCode(error.errors[0])
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'AbortError')
    return error.code
  return error instanceof Error && error.cause !== undefined ? getCode(error.cause) : ''
}
