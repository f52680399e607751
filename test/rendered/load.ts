/**
 * An integrator who creates jobs at a steady rate through the public port, repeats each creation until it is accepted,
 * and follows the feed; and computers that print. The feed is the source of facts.
 */
import { runSteadily } from '../bench/report.ts'
import { type Api, createApi, type Exchange } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createOnce } from '../load/create-once.ts'
import { startFollowers } from '../load/integrator.ts'
import { addPrintingComputers } from '../load/printing-computers.ts'

const JOBS_PER_SECOND = 50
const COMPUTERS = 10
/** More creations that wait for an answer would load the machine beyond what is tested. */
const UNANSWERED_MAX = 200
const REPEAT_MS = 5_000
/** Longer than the 60 s after which an unacknowledged job is sent again. */
const END_LIMIT_MS = 90_000
const SMALL = makePdf('Hello').toString('base64')
/** Goes through the document store. */
const LARGE = makePdf('Hello', 100_000).toString('base64')
const LARGE_EVERY = 10

/** A request without a success. */
export interface Failure {
  path: string
  startedAtMs: number
  endedAtMs: number
  /** Undefined if the connection failed. */
  status?: number
  /** It has the error envelope and `Retry-After`. */
  isRetryable: boolean
  what: string
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/** @param keys of live mode with all scopes. They share the jobs, because a key can have few uploads at once. */
export async function startLoad(baseUrl: string, agentAddress: string, keys: string[]) {
  await using starting = new AsyncDisposableStack()
  const failures: Failure[] = []
  /** Ids of accepted jobs. */
  const accepted = new Set<string>()
  let [requests, unanswered, skipped] = [0, 0, 0]

  function record({ path, startedAtMs, answer }: Exchange): void {
    requests++
    if (answer && answer.status < 400) return
    const { status, headers, body } = answer ?? {}
    const isRetryable = headers?.has('retry-after') === true && body?.error?.code !== undefined
    const what = JSON.stringify(body ?? '').slice(0, 300)
    failures.push({ path, startedAtMs, endedAtMs: Date.now(), status, isRetryable, what })
  }

  const apis = keys.map((key) => createApi(baseUrl, key, { record }))
  const [api] = apis as [Api]
  const { agents, printerIds } = await addPrintingComputers(api, [agentAddress], COMPUTERS, starting)
  const repeating = setInterval(() => {
    for (const agent of agents) agent.repeat()
  }, REPEAT_MS)
  starting.defer(() => clearInterval(repeating))
  const followers = starting.adopt(startFollowers(api), (one) => one.stop())

  const creating = new AbortController()
  const stopping = new AbortController()
  const creations = runSteadily(JOBS_PER_SECOND, creating.signal, async (_, n) => {
    if (unanswered >= UNANSWERED_MAX) return void skipped++
    unanswered++
    const content = n % LARGE_EVERY === 0 ? LARGE : SMALL
    const job = { printerId: printerIds[n % COMPUTERS], title: `Job ${n}`, contentType: 'pdf_base64', content }
    const creator = apis[Math.floor(n / LARGE_EVERY) % apis.length] ?? api
    const id = await createOnce(creator, `job-${n}`, job, stopping.signal)
    if (id !== undefined) accepted.add(id)
    unanswered--
  })
  starting.defer(async () => {
    creating.abort()
    stopping.abort()
    await creations
  })

  /** @returns the number of events that each resource has. */
  const countEvents = (type: string) =>
    new Map(
      [...followers.events].flatMap(([key, ids]) => {
        const [of, id = ''] = key.split(' ')
        return of === type ? [[id, ids.size] as const] : []
      }),
    )
  const started = starting.move()
  return {
    figures: () => ({ accepted: accepted.size, requests, skipped, failures: failures.length }),
    countEvents,
    /** @returns the failures of requests that ended during `work`. */
    async during(work: () => Promise<unknown>): Promise<Failure[]> {
      const before = failures.length
      await work()
      return failures.slice(before)
    },
    /** Ends the creations. @returns what is wrong when all accepted jobs should have ended. */
    async finish(): Promise<string[]> {
      creating.abort()
      await creations
      const problems: string[] = []
      await waitFor(() => followers.checkPrinted([...accepted]), END_LIMIT_MS).catch((error: Error) =>
        problems.push(error.message),
      )
      for (const id of followers.jobs)
        if (!accepted.has(id)) problems.push(`${id} was created beside the accepted jobs`)
      for (const id of followers.repeated) problems.push(`the feed has the event ${id} twice`)
      for (const type of ['printjob.printing', 'printjob.done'])
        for (const [id, count] of countEvents(type)) if (count > 1) problems.push(`${id} has ${type} ${count} times`)
      return problems
    },
    stop: () => started.disposeAsync(),
  }
}
