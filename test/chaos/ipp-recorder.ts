/**
 * A proxy between an agent and CUPS that records jobs and releases outside of the agent, so that a kill loses no
 * record. It forwards bytes as they arrive, so CUPS also receives truncated requests.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { decodeMessage } from '@platen/ipp/decode.ts'
import { OPERATIONS } from '@platen/ipp/operations.ts'
import { toStatus } from '@platen/ipp/status-codes.ts'
import type { SpoolerCall } from '../checker/history.ts'

interface RecordedCall {
  operation: string
  /** From the request, or the last name of the job with its id. */
  jobName: string
  atMs: number
  /** Undefined without a whole answer. */
  status?: string
}

const RECORDED = Object.entries(OPERATIONS).filter(([name]) => /^(Print|Create|Release)-Job$/.test(name))

/** The agent puts the id of the job into the name of its spooler job. */
const TOKEN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

export async function startIppRecorder(cups: { host: string; port: number }) {
  const calls: RecordedCall[] = []
  /** Names by job id, which CUPS may assign again after a crash. */
  const names = new Map<number, string>()
  const server = createServer(pass)
  await once(server.listen(0, '127.0.0.1'), 'listening')

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url: path, headers } = asked
    const forwarded = request({ ...cups, method, path, headers, agent: false })
    let call: RecordedCall | undefined
    const question = collect(asked)
    asked.pipe(forwarded)
    asked.on('end', () => {
      call = readCall(question())
      if (call) calls.push(call)
    })
    asked.on('close', () => asked.complete || forwarded.destroy())
    forwarded.on('error', () => answer.destroy())
    forwarded.on('response', (answered) => {
      const { connection: _, 'keep-alive': __, ...kept } = answered.headers
      answer.writeHead(answered.statusCode ?? 500, kept)
      const reply = collect(answered)
      // The answer is not piped: it is recorded although the agent is gone.
      answered.on('data', (chunk) => answer.write(chunk))
      answered.on('error', () => answer.destroy())
      answered.on('end', () => {
        readAnswer(reply(), call)
        answer.end()
      })
    })
    answer.on('error', () => undefined)
  }

  function readCall(question: Buffer): RecordedCall | undefined {
    const { code, groups } = decodeMessage(question)
    const [operation] = RECORDED.find(([, known]) => known === code) ?? []
    const { name, id = 0 } = readJob(Object.assign({}, ...groups.map(({ attributes }) => attributes)))
    return operation ? { operation, jobName: name ?? names.get(id) ?? '', atMs: Date.now() } : undefined
  }

  function readAnswer(reply: Buffer, call: RecordedCall | undefined): void {
    const { code, groups } = decodeMessage(reply)
    for (const { attributes } of groups) {
      const { name = call?.jobName, id } = readJob(attributes)
      if (id !== undefined && name !== undefined) names.set(id, name)
    }
    if (call) call.status = toStatus(code)
  }

  return {
    /** "host:port", for `CUPS_SERVER`. */
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** A job that CUPS refused to release has none. */
    spoolerCalls: (computerId: string): SpoolerCall[] => calls.flatMap((call) => toSpoolerCall(call, computerId)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** @throws Error for a job that was not held first, and for a job of another program. */
function toSpoolerCall({ operation, jobName, atMs, status }: RecordedCall, computerId: string): SpoolerCall[] {
  const token = TOKEN.exec(jobName)?.[0]
  if (!token) throw new Error(`${operation} of "${jobName}", whose name contains no id`)
  if (operation === 'Print-Job') throw new Error(`"${jobName}" was printed without being held`)
  const job = { computerId, token, spoolerJobId: token, atMs }
  if (operation === 'Create-Job') return [{ ...job, call: 'submit' }]
  if (status !== undefined && !status.startsWith('successful-')) return []
  return [{ ...job, call: 'release', isUncertain: status === undefined }]
}

function collect(stream: IncomingMessage): () => Buffer {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks)
}

function readJob(attributes: IppAttributes) {
  const [id, uri, name] = ['job-id', 'job-uri', 'job-name'].map((attribute) => attributes[attribute]?.[0])
  const inUri = typeof uri === 'string' ? Number(/\d+$/.exec(uri)?.[0] ?? 0) : undefined
  return { id: typeof id === 'number' ? id : inUri, name: typeof name === 'string' ? name : undefined }
}
