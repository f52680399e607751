import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import type { AgentConfig } from '../config.ts'
import { explain } from '../transport/explain-error.ts'
import { selectProxy } from '../transport/proxy.ts'
import { getTrustContext } from '../transport/trust.ts'
import { openTunnel, toHost } from '../transport/tunnel.ts'
import { type Finding, ok, problem } from './finding.ts'
import { getUrls } from './urls.ts'

const TIMEOUT_MS = 10_000
const DAY_MS = 24 * 60 * 60 * 1000
const MIN_VALIDITY_DAYS = 7

export async function examineCertificate(config: AgentConfig): Promise<Finding[]> {
  return await Promise.all(getUrls(config).map((url) => examineOne(url, config)))
}

async function examineOne(url: URL, config: AgentConfig): Promise<Finding> {
  if (url.protocol === 'http:' && config.serverUrl?.startsWith('https:'))
    return problem(
      'TLS',
      `The agent connects to ${url.host} without TLS, although the server has TLS. Enrol again after PLATEN_AGENT_PUBLIC_URL of the service is correct.`,
    )
  if (url.protocol === 'http:')
    return ok('TLS', `${url.host} is used without TLS, which is safe only in a trusted network.`)
  try {
    return toFinding(url, await getCertificate(url, config))
  } catch (error) {
    return problem('TLS', explain(error, url.host))
  }
}

function toFinding({ host }: URL, { valid_to, issuer }: PeerCertificate): Finding {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / DAY_MS)
  const issuedBy = issuer.O ?? issuer.CN ?? 'an unnamed authority'
  if (days < MIN_VALIDITY_DAYS)
    return problem('TLS', `The certificate of ${host} expires in ${days} days. Renew it on the server.`)
  return ok('TLS', `The certificate of ${host}, by ${issuedBy}, is trusted and valid for ${days} more days.`)
}

/** @throws Error if the connection fails or the certificate is not trusted. */
async function getCertificate(url: URL, { caFile, proxy }: AgentConfig): Promise<PeerCertificate> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const proxyUrl = selectProxy(url, proxy)
  const host = toHost(url)
  const connection = proxyUrl
    ? { socket: await openTunnel(url, proxyUrl, signal) }
    : { host, port: Number(url.port || 443) }
  const socket = connectTls({
    ...connection,
    // SNI does not allow an address. The certificate is still compared with it.
    servername: isIP(host) === 0 ? host : '',
    host,
    secureContext: getTrustContext(caFile),
    ALPNProtocols: ['h2', 'http/1.1'],
  })
  try {
    await once(socket, 'secureConnect', { signal })
    return socket.getPeerCertificate()
  } catch (error) {
    if (!signal.aborted || socket.connecting) throw error
    throw Object.assign(new Error('no TLS handshake', { cause: error }), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' })
  } finally {
    socket.destroy()
  }
}
