/** An HTTP client that sends any bytes, right or wrong, over connections that it keeps, and reads answers strictly. */
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

export interface RawAnswer {
  status: number
  /** By lower-case name; a header that comes twice is a defect. */
  headers: Map<string, string>
  body: string
}

export interface RawRequest {
  /** Written one after the other, so that they arrive in as many reads as the system makes of them. */
  pieces: Buffer[]
  /** `HEAD` has no body in its answer. */
  method: string
  /** Half-closes the connection after the last piece. */
  endAfter?: boolean
}

/** Far longer than anything takes that is right. */
const ANSWER_LIMIT_MS = 10_000
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export function createRawClient(port: number) {
  const idle: Socket[] = []

  function open(): Socket {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay()
    // What a reset means for a request is told by the `close` that follows.
    socket.on('error', () => socket.destroy())
    return socket
  }

  return {
    /** @returns undefined when the gateway closed the connection without an answer. */
    async send({ pieces, method, endAfter = false }: RawRequest): Promise<RawAnswer | undefined> {
      const kept = endAfter ? undefined : idle.pop()
      const socket = kept ?? open()
      const answer = readAnswer(socket, method)
      for (const [at, piece] of pieces.entries()) {
        if (at > 0) await setImmediate()
        if (socket.writable) socket.write(piece)
      }
      if (endAfter) socket.end()
      const got = await answer
      const goesOn = got !== undefined && !endAfter && got.headers.get('connection')?.toLowerCase() !== 'close'
      if (goesOn && socket.writable) idle.push(socket)
      else socket.destroy()
      return got
    },
    close() {
      for (const socket of idle) socket.destroy()
    },
  }
}

function readAnswer(socket: Socket, method: string): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let received = ''
    const timer = setTimeout(() => done(new Error('no answer in time')), ANSWER_LIMIT_MS)
    function done(result: RawAnswer | Error | undefined) {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose)
      if (!(result instanceof Error)) return resolve(result)
      socket.destroy()
      reject(result)
    }
    function onData(chunk: Buffer) {
      received += chunk.toString('latin1')
      try {
        const answer = parseAnswer(received, method)
        if (answer) done(answer)
      } catch (error) {
        done(error as Error)
      }
    }
    function onClose() {
      const cutOff = received.replaceAll(CONTINUE, '')
      done(cutOff === '' ? undefined : new Error(`the answer is cut off: ${JSON.stringify(cutOff.slice(0, 300))}`))
    }
    socket.on('data', onData).on('close', onClose)
  })
}

/**
 * @param more whether another answer may follow: a body that was not announced is the next request.
 * @returns undefined while more is to come.
 */
export function parseAnswer(all: string, method: string, { more = false } = {}): RawAnswer | undefined {
  const received = all.startsWith(CONTINUE) ? all.slice(CONTINUE.length) : all
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase())) throw new Error(`a header is wrong or comes twice: ${line}`)
    headers.set(name.toLowerCase(), value)
  }
  const length =
    method === 'HEAD' || status === 304 || status === 204 ? 0 : Number(headers.get('content-length') ?? Number.NaN)
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${JSON.stringify(received.slice(0, 300))}`)
  const body = received.slice(headEnd + 4)
  if (body.length > length && !more)
    throw new Error(`bytes behind the answer: ${JSON.stringify(received.slice(0, 600))}`)
  if (body.length < length) return undefined
  return { status, headers, body: Buffer.from(body.slice(0, length), 'latin1').toString() }
}
