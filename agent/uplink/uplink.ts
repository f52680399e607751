/**
 * What jobs see of the connection. Whatever needs an answer is asked here: it is said at once, again every few seconds while
 * there is a stream, again first thing on each new stream, and so on until the answer has come.
 */
import { EventEmitter, once } from 'node:events'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type ConnectRequest, ConnectRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { AgentClient } from './client.ts'

export interface Stream {
  client: AgentClient
  send(message: ConnectRequest): void
}

interface Request {
  /** Made anew each time it is said: a job that is sent again meanwhile has another attempt number. */
  build(): MessageInitShape<typeof ConnectRequestSchema>
  repeat: NodeJS.Timeout
}

export type Uplink = ReturnType<typeof createUplink>

/**
 * @param repeatMs how long to wait for an answer before asking again.
 * @param stopping ends all waiting with an AbortError.
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

  return {
    /** The server has said Welcome. Everything without an answer is said to it, in the order in which it was first said. */
    open(welcomed: Stream): void {
      stream = welcomed
      for (const request of requests.values()) send(request)
      facts.emit('open')
    },

    close(): void {
      stream = undefined
    },

    /** The present stream, or the next. */
    async stream(): Promise<Stream> {
      while (!stream) await once(facts, 'open', { signal: stopping })
      return stream
    },

    /** Says something once, if there is a stream: what the other side asks for again when it got lost. */
    notify: (message: ConnectRequest) => stream?.send(message),

    /** Asks until `answer` is called with the same key. What is asked already is only said once more. */
    async request(key: string, build: Request['build']): Promise<void> {
      stopping.throwIfAborted()
      const request: Request = requests.get(key) ?? { build, repeat: setInterval(() => send(request), repeatMs) }
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
