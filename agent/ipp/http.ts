/** The HTTP beneath IPP (RFC 8010, section 4): one POST for each request, with deadlines, and an answer that is read up to a bound. */
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
   * Certificates (PEM) of those who may vouch for the server. Without them an `ipps:` server is not asked who it is, as CUPS does not ask it:
   * printers sign their certificates themselves.
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
  /** For how long a server may take no byte of what is sent. */
  idleMs: 30_000,
  /** From when all is sent until all is read. */
  answerMs: 15_000,
}

/** Less than servers keep idle connections, so that none is closed just when it is used again. */
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
      // What fails on the way is an error of the request as well; what it has answered by then counts.
      pipeline(parts, request).then(isWaiting, () => undefined)
      // A server that has seen enough answers before it has taken everything.
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
      // It may fail before anybody reads it, which counts when somebody does.
      document.on('error', () => undefined)
      return await exchange(post).finally(() => document.destroy())
    },
    close: () => agent.destroy(),
  }
}

/** At each time one thing is waited for. */
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

/** Of the network, of TLS or of the HTTP parser: all of them have a code. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error
}
