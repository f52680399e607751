/**
 * The connection for the tasks of jobs. A request is sent immediately, resent every few seconds while connected and
 * first on each new stream, until it is answered.
 */
import { EventEmitter, once } from 'node:events'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type ConnectRequest, ConnectRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { AgentClient } from './client.ts'

export interface Stream {
  client: AgentClient
  send(message: ConnectRequest): void
  /** The service reads slowly, and messages wait in this process. */
  isBusy(): boolean
}

interface Request {
  /** Called for each send, because a resent job has a new attempt number. */
  build(): MessageInitShape<typeof ConnectRequestSchema>
  repeat: NodeJS.Timeout
}

export type Uplink = ReturnType<typeof createUplink>

/**
 * @param repeatMs time without a response before a resend.
 * @param stopping rejects all pending requests with an AbortError.
 */
export function createUplink(repeatMs: number, stopping: AbortSignal) {
  const requests = new Map<string, Request>()
  const facts = new EventEmitter().setMaxListeners(0)
  let stream: Stream | undefined

  stopping.addEventListener('abort', () => {
    for (const { repeat } of requests.values()) clearInterval(repeat)
  })

  function send({ build, repeat }: Request): void {
    stream?.send(create(ConnectRequestSchema, build()))
    repeat.refresh()
  }

  /** A repetition behind unsent messages would only delay them. */
  function repeat(request: Request): void {
    if (!stream?.isBusy()) send(request)
  }

  return {
    /** Called after Welcome. Resends all pending requests in their original order. */
    open(welcomed: Stream): void {
      stream = welcomed
      for (const request of requests.values()) send(request)
      facts.emit('open')
    },

    close(): void {
      stream = undefined
    },

    /** The current stream, or the next one. */
    async stream(): Promise<Stream> {
      while (!stream) await once(facts, 'open', { signal: stopping })
      return stream
    },

    /** Sends a message once if connected. Only for messages that the server requests again when they are lost. */
    notify: (message: ConnectRequest) => stream?.send(message),

    /** Sends a request until `answer` is called with the same key. A pending request is only resent. */
    async request(key: string, build: Request['build']): Promise<void> {
      stopping.throwIfAborted()
      const request: Request = requests.get(key) ?? { build, repeat: setInterval(() => repeat(request), repeatMs) }
      requests.set(key, request)
      send(request)
      await once(facts, `answer ${key}`, { signal: stopping })
    },

    isPending: (key: string) => requests.has(key),

    answer(key: string): void {
      clearInterval(requests.get(key)?.repeat)
      requests.delete(key)
      facts.emit(`answer ${key}`)
    },
  }
}
