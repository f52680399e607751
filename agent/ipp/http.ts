/**
 * HTTP transport of IPP (RFC 8010, section 4): one POST per request, with deadlines and a limited response size. Kept by hand on
 * `node:http`: callers need to know whether any byte was sent, and a server may respond before it has read the document.
 */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { IppConnectionError } from './ipp-error.ts'
import { readBody } from './read-body.ts'

export interface HttpOptions {
  /** The Unix socket that is connected to instead of the URL's host. */
  socketPath?: string
  /**
   * CA certificates (PEM). Without them the certificate of an `ipps:` server is not verified, as in CUPS, because printers use self-signed
   * certificates.
   */
  caFile?: string
  deadlines?: Partial<typeof DEADLINES>
}

export interface Post {
  path: string
  head: Buffer
  document?: AsyncIterable<Uint8Array> | Readable
  /** In bytes. */
  documentLength?: number
  /** May be sent again when a kept connection turns out to be closed. */
  repeatable: boolean
  signal?: AbortSignal
}

const DEADLINES = {
  connectMs: 5_000,
  /** Maximum time without progress while sending. */
  idleMs: 30_000,
  /** From the end of the request to the end of the response. */
  answerMs: 15_000,
}

/** Shorter than the keep-alive time of servers, so that a connection is not closed while it is reused. */
const KEEP_IDLE_MS = 5_000

export function openHttp(server: URL, { socketPath, caFile, deadlines }: HttpOptions) {
  const limits = { ...DEADLINES, ...deadlines }
  const isSecure = ['ipps:', 'https:'].includes(server.protocol)
  const ca = caFile === undefined ? undefined : readFileSync(caFile)
  const keeping = { keepAlive: true, maxFreeSockets: 2, timeout: KEEP_IDLE_MS }
  const agent = isSecure
    ? new https.Agent({ ...keeping, ca, rejectUnauthorized: ca !== undefined })
    : new http.Agent(keeping)
  const port = server.port || (server.protocol.startsWith('ipp') ? '631' : isSecure ? '443' : '80')
  const where = socketPath ?? `${server.hostname}:${port}`
  const address = socketPath
    ? { socketPath, headers: { host: 'localhost' } }
    : { host: server.hostname.replace(/^\[|\]$/g, ''), port }

  function open({ path, head, document, documentLength }: Post): http.ClientRequest {
    const request = (isSecure ? https : http).request({ ...address, agent, method: 'POST', path })
    request.setHeader('content-type', 'application/ipp')
    // Without a length Node sends chunks.
    if (!document) request.setHeader('content-length', head.length)
    else if (documentLength !== undefined) request.setHeader('content-length', head.length + documentLength)
    return request
  }

  async function exchange(post: Post): Promise<Buffer> {
    const { head, document, signal } = post
    signal?.throwIfAborted()
    const request = open(post)
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.on('error', reject)
    })
    let isConnected = false
    let documentError: { cause: unknown } | undefined
    const deadline = openDeadline((what) => request.destroy(new IppConnectionError(`${where} ${what}`, isConnected)))
    const isTaking = () => {
      isConnected = true
      deadline.set(limits.idleMs, 'has taken nothing of a request')
    }
    const isWaiting = () => deadline.set(limits.answerMs, 'has not answered')
    const abort = () => request.destroy(signal?.reason)

    request.once('socket', (socket) => {
      if (!socket.connecting) return isTaking()
      deadline.set(limits.connectMs, 'has not accepted a connection')
      socket.once(isSecure ? 'secureConnect' : 'connect', isTaking)
    })
    async function* parts() {
      yield head
      if (!document) return
      try {
        for await (const chunk of document) {
          if (isConnected) isTaking()
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
      pipeline(parts, request).then(isWaiting, () => undefined)
      // A server may respond before it has read the whole request.
      const response = await answered
      isWaiting()
      return await readBody(response, where)
    } catch (error) {
      signal?.throwIfAborted()
      if (documentError) throw documentError.cause
      if (!isSystemError(error)) throw error
      if (request.reusedSocket && post.repeatable) return await exchange(post)
      const what = isConnected ? 'has broken the connection off' : 'cannot be reached'
      throw new IppConnectionError(`${where} ${what} (${error.code})`, isConnected, error)
    } finally {
      deadline.end()
      signal?.removeEventListener('abort', abort)
      if (!request.writableFinished) request.destroy()
    }
  }

  return {
    /**
     * @returns the body of the answer.
     * @throws IppError for an answer that is none of IPP, IppConnectionError, IppDecodingError, the signal's reason, the document's error.
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

/** One deadline at a time. */
function openDeadline(onMissed: (what: string) => void) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  return {
    set(ms: number, what: string) {
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(() => onMissed(`${what} for ${ms / 1000} s`), ms)
    },
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** Errors of network, TLS and HTTP parser have a code. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error
}
