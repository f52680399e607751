/**
 * Computers that print by IPP over lines that are cut in the middle of requests and answers. A computer repeats a
 * request that got no answer. After a refusal of its document it cancels the job and begins another one, as CUPS does.
 * After a lost answer to its document it asks for the job, as CUPS does, or sends the document again.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IppAnswer, type IppClient, openIppClient } from '@platen/agent/ipp/client.ts'
import { IppConnectionError, IppError } from '@platen/agent/ipp/ipp-error.ts'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import type { IppOperation } from '@platen/ipp/operations.ts'
import type { IppStatus } from '@platen/ipp/status-codes.ts'
import { boolean, integer, name } from '@platen/ipp/typed.ts'
import type { Violation } from '../checker/check-history.ts'
import type { Stores } from '../checker/collect.ts'
import type { ClientCall, History } from '../checker/history.ts'
import { freePort } from '../harness/free-port.ts'
import type { IppPrinters } from '../harness/ipp-printers.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait-for.ts'
import type { Random } from './random.ts'

/** Prints during which the line is cut. */
const CUT_PERCENT = 40
/** What the answers to one print have. */
const ANSWERS_BYTES = 1_200
/** What its requests have beside the document. */
const REQUESTS_BYTES = 1_500
/** Systems that do not know Create-Job. */
const PRINT_JOB_PERCENT = 30
const CHUNK_BYTES = 16 * 1024
/** Between two pieces of a document, which computers make while they send it. */
const CHUNK_MS = 5
const PAUSE_MS = 300
/** The gateway and jobs start again within seconds. */
const TIMEOUT_MS = 120_000
/** A submission ends within two minutes after its document stopped to arrive. */
const END_TIMEOUT_MS = 240_000

const ENDED_STATES = [7, 8, 9]
const INTERRUPTED = 'submission-interrupted'

export interface IppPrint {
  title: string
  /** The printer, "17", or the destination, "d/6e…". */
  path: string
  /** @returns the document of a job, which shows its title. */
  toDocument(title: string): Buffer
}

/** A job, from the first request for it. A print has another one each time that the computer begins anew. */
interface Attempt extends IppPrint {
  print: string
  operation: 'Create-Job' | 'Print-Job'
  /** `job-id`. Undefined without an answer to the creation. */
  number?: number
}

interface Options {
  printers: IppPrinters
  organizationId: string
  gatewayUrl: string
  calls: ClientCall[]
  random: Random
}

export async function startIppComputer(options: Options): Promise<IppComputer> {
  const { id, secret } = await options.printers.addAccess()
  const { hostname: host, port } = new URL(options.gatewayUrl)
  const line = { host: '127.0.0.1', port: await freePort() }
  const proxy = await startTcpProxy(line, { host, port: Number(port) })
  return new IppComputer(options, { accessId: id, secret, url: `http://${line.host}:${line.port}`, proxy })
}

export class IppComputer {
  /** Requests of Print-Job without an answer, each of which can be a job. */
  unanswered = 0
  cuts = 0
  readonly #options: Options
  readonly #line: { accessId: string; secret: string; url: string; proxy: TcpProxy }
  readonly #attempts: Attempt[] = []

  constructor(options: Options, line: { accessId: string; secret: string; url: string; proxy: TcpProxy }) {
    this.#options = options
    this.#line = line
  }

  /** Returns when the computer knows what became of the print. One at a time. */
  async print(print: IppPrint): Promise<void> {
    const { random } = this.#options
    await this.#line.proxy.heal()
    this.#prepareCut(print.toDocument(print.title).length)
    const operation = random.chance(PRINT_JOB_PERCENT) ? 'Print-Job' : 'Create-Job'
    await using stack = new AsyncDisposableStack()
    const client = stack.adopt(this.#open(print.path), (one) => one.close())
    const deadlineMs = performance.now() + TIMEOUT_MS
    for (let n = 0; performance.now() < deadlineMs; n++) {
      const title = n === 0 ? print.title : `${print.title} again ${n}`
      const attempt: Attempt = { ...print, print: print.title, operation, title }
      this.#attempts.push(attempt)
      const isDecided = await (operation === 'Print-Job'
        ? this.#printJob(client, attempt)
        : this.#createJob(client, attempt, deadlineMs))
      if (isDecided) return
      await sleep(PAUSE_MS)
    }
    throw new Error(`"${print.title}" was not accepted in ${TIMEOUT_MS} ms.`)
  }

  get createdJobs(): number {
    return this.#numbered().length
  }

  /** Waits until each Create-Job has an end, and completes the calls by the ids of their jobs. */
  async settle({ database }: Stores): Promise<void> {
    await this.#line.proxy.heal()
    const open = 'SELECT count(*)::int AS open FROM jobs.ipp_submission WHERE created_by = $1 AND ended_at IS NULL'
    await waitFor(async () => {
      const [row] = (await database.query(open, [`print_access:${this.#line.accessId}`])).rows
      if (row.open > 0) throw new Error(`${row.open} submissions have no end.`)
    }, END_TIMEOUT_MS)
    const ids = 'SELECT id, title FROM jobs.job WHERE created_by = $1'
    const { rows } = await database.query(ids, [`print_access:${this.#line.accessId}`])
    const byTitle = new Map(rows.map(({ id, title }) => [title, id]))
    for (const call of this.#options.calls) if (call.status === 201) call.jobId ??= byTitle.get(call.marker)
  }

  /** What no computer must see, and no print must have. @param history of the whole run. */
  async findProblems({ database, spoolerCalls }: History): Promise<Violation[]> {
    const violations: Violation[] = []
    const add = (subject: string, message: string) => violations.push({ group: 'spooler', subject, message })
    const jobs = new Map(database.jobs.map((job) => [job.title, job]))
    const released = new Set(spoolerCalls.filter(({ call }) => call === 'release').map(({ token }) => token))
    for (const attempt of this.#numbered()) {
      const { state, reasons } = await this.#readState(attempt)
      const isInterrupted = reasons.includes(INTERRUPTED)
      if (!ENDED_STATES.includes(state)) add(attempt.title, `The job has no end for its computer: ${state}.`)
      if (isInterrupted === jobs.has(attempt.title))
        add(attempt.title, `The computer reads ${reasons}, and the job ${isInterrupted ? 'exists' : 'does not exist'}.`)
    }
    for (const [print, attempts] of Map.groupBy(this.#attempts, (attempt) => attempt.print)) {
      const papers = attempts.filter(({ title }) => released.has(jobs.get(title)?.id ?? '')).length
      if (papers > 1 && attempts[0]?.operation === 'Create-Job') add(print, `The print is on paper ${papers} times.`)
    }
    return violations
  }

  close(): void {
    this.#line.proxy.close()
  }

  /** @returns whether the computer is done with the print. */
  async #createJob(client: IppClient, attempt: Attempt, deadlineMs: number): Promise<boolean> {
    const created = await this.#ask(client, 'Create-Job', { attributes: { 'job-name': name(attempt.title) } })
    if (!created || isBusy(created)) return false
    attempt.number = readNumber(created)
    const about = { 'job-id': integer(attempt.number) }
    for (let isSent = false; performance.now() < deadlineMs; await sleep(PAUSE_MS)) {
      const sent = await this.#send(client, 'Send-Document', attempt, { ...about, 'last-document': boolean(true) })
      if (sent && isBusy(sent) && !isSent) {
        await this.#ask(client, 'Cancel-Job', { attributes: about })
        return false
      }
      if (sent && !isBusy(sent)) return true
      isSent ||= !sent
      if (isSent && this.#options.random.chance(50) && (await this.#isKnown(client, attempt.number))) return true
    }
    return false
  }

  /** Whether the job has its document, or has ended. */
  async #isKnown(client: IppClient, number: number): Promise<boolean> {
    const found = await this.#ask(client, 'Get-Job-Attributes', { attributes: { 'job-id': integer(number) } })
    return found !== undefined && !isBusy(found) && !readReasons(found).includes('job-incoming')
  }

  async #printJob(client: IppClient, attempt: Attempt): Promise<boolean> {
    const printed = await this.#send(client, 'Print-Job', attempt, { 'job-name': name(attempt.title) })
    if (!printed) this.unanswered++
    return printed !== undefined && !isBusy(printed)
  }

  /** A request that can create the job of the attempt. */
  async #send(
    client: IppClient,
    operation: IppOperation,
    { title, toDocument }: Attempt,
    attributes: IppTypedAttributes,
  ) {
    const document = toDocument(title)
    const contentSha256 = createHash('sha256').update(document).digest('hex')
    const { organizationId, calls } = this.#options
    const facts = { kind: 'create', organizationId, marker: title, contentSha256 } as const
    const call: ClientCall = { ...facts, startedAtMs: Date.now(), namedIds: [] }
    calls.push(call)
    const answer = await this.#ask(client, operation, { attributes, document: inPieces(document) })
    if (!answer) return undefined
    call.endedAtMs = Date.now()
    // After a refusal nothing is printed.
    call.status = answer instanceof IppError ? 409 : 201
    return answer
  }

  /** @returns the refusal, undefined without an answer. */
  async #ask(
    client: IppClient,
    operation: IppOperation,
    request: { attributes: IppTypedAttributes; document?: AsyncIterable<Uint8Array> },
  ): Promise<IppAnswer | IppError | undefined> {
    try {
      return await client.request({ operation, ...request })
    } catch (error) {
      if (error instanceof IppError && EXPECTED.includes(error.status)) return error
      if (!(error instanceof IppConnectionError)) throw error
      await this.#line.proxy.heal()
      return undefined
    }
  }

  async #readState(attempt: Attempt): Promise<{ state: number; reasons: string[] }> {
    await using stack = new AsyncDisposableStack()
    const client = stack.adopt(this.#open(attempt.path), (one) => one.close())
    const attributes = { 'job-id': integer(attempt.number ?? 0) }
    return await waitFor(async () => {
      const found = await this.#ask(client, 'Get-Job-Attributes', { attributes })
      if (!found || found instanceof IppError) throw new Error(`The job has no state: ${found?.message}`)
      return { state: Number(found.jobs[0]?.['job-state']?.[0]), reasons: readReasons(found) }
    }, TIMEOUT_MS)
  }

  #open(path: string): IppClient {
    return openIppClient({ url: `${this.#line.url}/ipp/print/${path}/${this.#line.secret}` })
  }

  /** The next connection is cut within a request, or within an answer. */
  #prepareCut(documentBytes: number): void {
    const { random } = this.#options
    if (!random.chance(CUT_PERCENT)) return
    this.cuts++
    const { proxy } = this.#line
    if (random.chance(50)) proxy.cutAfter(random.integer(1, ANSWERS_BYTES))
    else proxy.cutRequestAfter(random.integer(1, documentBytes + REQUESTS_BYTES))
  }

  #numbered(): Attempt[] {
    return this.#attempts.filter(({ operation, number }) => operation === 'Create-Job' && number !== undefined)
  }
}

/** The errors that a computer can get while it prints a valid document. */
const EXPECTED: readonly IppStatus[] = [
  'server-error-busy',
  // The job has ended, or does not take its document any more.
  'client-error-not-possible',
  'client-error-not-found',
  'server-error-job-canceled',
]

const isBusy = (answer: IppAnswer | IppError) => answer.status === 'server-error-busy'

const readNumber = (answer: IppAnswer | IppError) => Number('jobs' in answer && answer.jobs[0]?.['job-id']?.[0])

const readReasons = (answer: IppAnswer | IppError) =>
  'jobs' in answer ? (answer.jobs[0]?.['job-state-reasons'] ?? []).map(String) : []

async function* inPieces(document: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < document.length; at += CHUNK_BYTES) {
    yield document.subarray(at, at + CHUNK_BYTES)
    await sleep(CHUNK_MS)
  }
}
