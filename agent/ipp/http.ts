/**
 * HTTP transport of IPP (RFC 8010, section 4): one POST per request, with deadlines and a limited response size. Kept
 * by hand on `node:http`: callers need to know whether any byte was sent, and a server may respond before it has read
 * the document.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ConnectionOptions, connect } from 'node:tls'
import { IppConnectionError } from './ipp-error.ts'
import { readBody } from './read-body.ts'

/** Decides which addresses may be opened, at each connection. */
export interface AddressGuard {
  /** Resolves a name to allowed addresses. */
  lookup: LookupFunction
  /**
   * @throws Error with a sentence for users if the host is an address that is not allowed. The addresses of a name are
   *   left to `lookup`.
   */
  requireAddress(host: string): void
}

export interface HttpOptions {
  /** The path of a Unix socket, used instead of the host of the URL. */
  socketPath?: string
  /**
   * CA certificates (PEM). Without them the certificate of an `ipps:` server is not verified, as in CUPS, because
   * printers use self-signed certificates.
   */
  caFile?: string
  /**
   * Called with the SHA-256 (hex) of the public key of an `ipps:` server, before anything is sent to it.
   *
   * @throws UnknownKeyError
   */
  checkKey?: (sha256: string) => void
  /** Absent: every address may be opened. */
  guard?: AddressGuard | undefined
  deadlines?: Partial<Deadlines>
  /** The deadlines of requests with a document. Default: those of other requests. */
  documentDeadlines?: Partial<Deadlines>
}

export interface Post {
  path: string
  head: Buffer
  document?: AsyncIterable<Uint8Array> | Readable
  /** In bytes. */
  documentLength?: number
  /** Whether the request can be sent again if a reused connection was closed. */
  repeatable: boolean
  signal?: AbortSignal
}

interface Deadlines {
  connectMs: number
  /** Maximum time without progress while sending; undefined for none. */
  idleMs: number | undefined
  /** From the end of the request to the end of the response. */
  answerMs: number
}

const DEADLINES: Deadlines = { connectMs: 5_000, idleMs: 30_000, answerMs: 15_000 }

/** Probes a connection that transfers nothing, so that a printer that was switched off is noticed. */
const KEEP_ALIVE_PROBE_MS = 30_000

/** Shorter than the keep-alive time of servers, so that a connection is not closed while it is reused. */
const KEEP_ALIVE_MS = 5_000

export function openHttp(
  server: URL,
  { socketPath, caFile, checkKey, guard, deadlines, documentDeadlines }: HttpOptions,
) {
  const queryTimeouts = { ...DEADLINES, ...deadlines }
  const documentTimeouts = { ...queryTimeouts, ...documentDeadlines }
  const isSecure = ['ipps:', 'https:'].includes(server.protocol)
  const ca = caFile === undefined ? undefined : readFileSync(caFile)
  const agentOptions = { keepAlive: true, maxFreeSockets: 2, timeout: KEEP_ALIVE_MS }
  const agent = isSecure
    ? new https.Agent({ ...agentOptions, ca, rejectUnauthorized: ca !== undefined })
    : new http.Agent(agentOptions)
  if (isSecure && checkKey) agent.createConnection = connectChecked(checkKey, queryTimeouts.connectMs)
  const port = server.port || (server.protocol.startsWith('ipp') ? '631' : isSecure ? '443' : '80')
  // Only CUPS has a socket. Messages are for users, who must not see its path.
  const serverName = socketPath ? 'CUPS' : `${server.hostname}:${port}`
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const address = socketPath
    ? { socketPath, headers: { host: 'localhost' } }
    : { host, port, ...(guard && { lookup: guard.lookup }) }

  function requireAddress(): void {
    try {
      guard?.requireAddress(host)
    } catch (error) {
      throw new IppConnectionError((error as Error).message, false, error)
    }
  }

  function open({ path, head, document, documentLength }: Post): http.ClientRequest {
    const request = (isSecure ? https : http).request({ ...address, agent, method: 'POST', path })
    request.setHeader('content-type', 'application/ipp')
    // Without a length Node uses chunked encoding.
    if (!document) request.setHeader('content-length', head.length)
    else if (documentLength !== undefined) request.setHeader('content-length', head.length + documentLength)
    return request
  }

  async function exchange(post: Post): Promise<Buffer> {
    const { head, document, signal } = post
    const timeouts = document ? documentTimeouts : queryTimeouts
    signal?.throwIfAborted()
    requireAddress()
    const request = open(post)
    const responded = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.on('error', reject)
    })
    let isConnected = false
    let documentError: { cause: unknown } | undefined
    const deadline = openDeadline((what) =>
      request.destroy(new IppConnectionError(`${serverName} ${what}`, isConnected)),
    )
    const onProgress = () => {
      isConnected = true
      deadline.set(timeouts.idleMs, 'has accepted no data')
    }
    const onSent = () => deadline.set(timeouts.answerMs, 'has not responded')
    const abort = () => request.destroy(signal?.reason)

    deadline.set(timeouts.connectMs, 'has not accepted a connection')
    request.once('socket', (socket) => {
      socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS)
      if (!socket.connecting) return onProgress()
      socket.once(isSecure ? 'secureConnect' : 'connect', onProgress)
    })
    async function* parts() {
      yield head
      if (!document) return
      try {
        for await (const chunk of document) {
          if (isConnected) onProgress()
          yield chunk
        }
      } catch (cause) {
        documentError = { cause }
        request.destroy()
      }
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      // A pipeline error is also an error of the request. A response that arrived before it is used.
      pipeline(parts, request).then(onSent, () => undefined)
      // A server can respond before it has read the complete request.
      const response = await responded
      onSent()
      return await readBody(response, serverName)
    } catch (error) {
      signal?.throwIfAborted()
      if (documentError) throw documentError.cause
      if (!isSystemError(error)) throw error
      if (request.reusedSocket && post.repeatable) return await exchange(post)
      const what = isConnected ? 'closed the connection' : 'cannot be reached'
      throw new IppConnectionError(`${serverName} ${what} (${error.code})`, isConnected, error)
    } finally {
      deadline.end()
      signal?.removeEventListener('abort', abort)
      if (!request.writableFinished) request.destroy()
    }
  }

  return {
    /**
     * @returns the body of the response.
     * @throws IppError for an HTTP error, IppConnectionError, IppDecodingError, the reason of the signal, the error of
     *   the document.
     */
    async post(post: Post): Promise<Buffer> {
      const { document } = post
      if (!(document instanceof Readable)) return await exchange(post)
      // An early error is rethrown when the document is read.
      document.on('error', () => undefined)
      return await exchange(post).finally(() => document.destroy())
    },
    close: () => agent.destroy(),
  }
}

/** Gives the agent a connection whose key was checked. It is never a resumed one, which has no certificate. */
function connectChecked(checkKey: (sha256: string) => void, timeoutMs: number): http.Agent['createConnection'] {
  return (options, done) => {
    const socket = connect({ ...(options as ConnectionOptions), rejectUnauthorized: false, timeout: timeoutMs })
    const fail = (error: Error) => done?.(error, socket)
    socket.once('error', fail)
    socket.once('timeout', () => socket.destroy())
    socket.once('secureConnect', () => {
      try {
        const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
        checkKey(
          createHash('sha256')
            .update(key ?? '')
            .digest('hex'),
        )
      } catch (error) {
        socket.destroy(error as Error)
        return
      }
      socket.off('error', fail)
      done?.(null, socket)
    })
    return undefined
  }
}

/** A single timer: a new deadline replaces the previous one. */
function openDeadline(onTimeout: (what: string) => void) {
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  return {
    set(ms: number | undefined, what: string) {
      clearTimeout(timer)
      if (!hasEnded && ms !== undefined) timer = setTimeout(() => onTimeout(`${what} for ${ms / 1000} s`), ms)
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}

/** Errors of network, TLS and HTTP parser have a code. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error
}
