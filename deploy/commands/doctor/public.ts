/** Checks the installation as integrators and agents reach it. */
import { once } from 'node:events'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectTls } from 'node:tls'
import { AgentService } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
/** Programs that renew certificates of 90 days do it at 30. */
const CERTIFICATE_DAYS_MIN = 14
/** https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
const UNAUTHENTICATED = '16'
/** A message of gRPC without content: not compressed, of length 0. */
const EMPTY_MESSAGE = Buffer.alloc(5)

export interface PublicUrls {
  api: string
  agents: string
}

export async function checkPublic({ api, agents }: PublicUrls): Promise<Finding[]> {
  const secure = [...new Set([api, agents].filter((url) => url.startsWith('https:')).map((url) => new URL(url).host))]
  const certificates = await Promise.all(secure.map(checkCertificate))
  return [...(await Promise.all([checkApi(api), checkAgents(agents)])), ...certificates.flat()]
}

/** @returns nothing if there is no connection, which the other checks say. */
async function checkCertificate(host: string): Promise<Finding[]> {
  const { hostname, port } = new URL(`https://${host}`)
  const socket = connectTls({ host: hostname, port: Number(port || 443), servername: hostname })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return [toCertificateFinding(host, new Date(socket.getPeerCertificate().valid_to), new Date())]
  } catch {
    return []
  } finally {
    socket.destroy()
  }
}

/** @param host the host and port that shows the certificate. */
export function toCertificateFinding(host: string, end: Date, now: Date): Finding {
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS)
  const text = `the certificate of ${host} ends in ${days} ${days === 1 ? 'day' : 'days'}`
  if (days >= CERTIFICATE_DAYS_MIN) return ok(text)
  return problem(text, 'Renew it, or see why it was not renewed automatically. Then clients and agents stay connected.')
}

async function checkApi(url: string): Promise<Finding> {
  const remedy = `Check DNS, certificate and route of this host. Without a key, /v1/whoami must answer 401.`
  try {
    const response = await fetch(new URL('/v1/whoami', url), { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    if (response.status === 401 && text.includes('"unauthorized"')) return ok(`REST API at ${url}`)
    return problem(`${url} answered ${response.status}, but not as the REST API`, remedy)
  } catch (error) {
    return problem(`REST API at ${url}: ${explain(error)}`, remedy)
  }
}

async function checkAgents(url: string): Promise<Finding> {
  const remedy =
    'Check DNS, certificate and route of this host. The path /platen.agent.v1.AgentService/ must lead to devices, over HTTP/2 on the whole way.'
  try {
    const { ':status': status, 'grpc-status': code } = await callAgents(url)
    if (code === UNAUTHENTICATED) return ok(`agents' host at ${url}: UNAUTHENTICATED over HTTP/2`)
    const answered = code === undefined ? `HTTP status ${status}` : `gRPC status ${code}`
    return problem(`agents' host at ${url} answered ${answered} instead of UNAUTHENTICATED`, remedy)
  } catch (error) {
    return problem(`agents' host at ${url}: ${explain(error)}`, remedy)
  }
}

/** A call without a credential. @returns its headers and trailers. */
async function callAgents(url: string): Promise<IncomingHttpHeaders> {
  const session = connect(url)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    // Rejects for a server without HTTP/2, whose session otherwise fails without an error of the request.
    await once(session, 'remoteSettings', { signal })
    const request = session.request({
      ':method': 'POST',
      ':path': `/${AgentService.typeName}/${AgentService.method.downloadDocument.name}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    let trailers: IncomingHttpHeaders = {}
    request.on('trailers', (received) => {
      trailers = received
    })
    request.end(EMPTY_MESSAGE)
    const [headers] = await once(request, 'response', { signal })
    request.resume()
    if (!request.readableEnded) await once(request, 'end', { signal })
    return { ...headers, ...trailers }
  } finally {
    session.destroy()
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer within ${TIMEOUT_MS / 1000} s`
  const { cause } = error
  return cause instanceof Error ? explain(cause) : error.message || ('code' in error ? String(error.code) : error.name)
}
