/**
 * Stands between an agent and CUPS and writes down what the agent asks of it, outside of the agent, so that a `kill -9` loses no line. Bytes go
 * through as they come: a request that breaks off reaches CUPS broken off.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IppAttributes, IppValue } from '@platen/agent/ipp/attributes.ts'
import { decodeMessage } from '@platen/agent/ipp/decode.ts'
import { type IppOperation, OPERATIONS } from '@platen/agent/ipp/operations.ts'
import { type IppStatus, statusOf } from '@platen/agent/ipp/status-codes.ts'

export interface IppCall {
  operation: IppOperation
  /** Of the job that it is about: as the request says, or as CUPS last called the job with that id. */
  jobName?: string
  /** Undefined when no whole answer came. */
  status?: IppStatus
}

export interface IppRecorder {
  /** "host:port", for `CUPS_SERVER`. */
  address: string
  /** Each request that reached CUPS as a whole, in the order in which they came. */
  calls: IppCall[]
  close(): Promise<void>
}

/** Questions are not written down. */
const RECORDED = Object.entries(OPERATIONS).filter(([name]) => /^(Print|Create|Release)-Job$/.test(name))

export async function startIppRecorder(cups: { host: string; port: number }): Promise<IppRecorder> {
  const calls: IppCall[] = []
  /** By id, which CUPS gives anew after a crash. */
  const names = new Map<number, string>()
  const server = createServer((asked, answer) => pass(asked, answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url: path, headers } = asked
    const forwarded = request({ ...cups, method, path, headers, agent: false })
    let call: IppCall | undefined
    const question = collect(asked)
    asked.pipe(forwarded)
    asked.on('end', () => {
      call = callOf(question())
      if (call) calls.push(call)
    })
    asked.on('close', () => asked.complete || forwarded.destroy())
    forwarded.on('error', () => answer.destroy())
    forwarded.on('response', (answered) => {
      const { connection: _, 'keep-alive': __, ...kept } = answered.headers
      answer.writeHead(answered.statusCode ?? 500, kept)
      const reply = collect(answered)
      // Not piped: what CUPS says is written down also when the agent is gone.
      answered.on('data', (chunk) => answer.write(chunk))
      answered.on('error', () => answer.destroy())
      answered.on('end', () => {
        heard(reply(), call)
        answer.end()
      })
    })
    answer.on('error', () => undefined)
  }

  function callOf(question: Buffer): IppCall | undefined {
    const { code, groups } = decodeMessage(question)
    const operation = RECORDED.find(([, known]) => known === code)?.[0] as IppOperation | undefined
    const { name, id } = jobOf(Object.assign({}, ...groups.map(({ attributes }) => attributes)))
    return operation && { operation, jobName: name ?? names.get(id ?? 0) }
  }

  function heard(reply: Buffer, call: IppCall | undefined): void {
    const { code, groups } = decodeMessage(reply)
    for (const { attributes } of groups) {
      const { name = call?.jobName, id } = jobOf(attributes)
      if (id !== undefined && name !== undefined) names.set(id, name)
    }
    if (call) call.status = statusOf(code)
  }

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function collect(stream: IncomingMessage): () => Buffer {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks)
}

function jobOf(attributes: IppAttributes) {
  const first = (name: string): IppValue | undefined => attributes[name]?.[0]
  const [id, uri, name] = [first('job-id'), first('job-uri'), first('job-name')]
  const inUri = typeof uri === 'string' ? Number(/\d+$/.exec(uri)?.[0] ?? 0) : undefined
  return { id: typeof id === 'number' ? id : inUri, name: typeof name === 'string' ? name : undefined }
}
