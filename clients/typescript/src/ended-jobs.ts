/**
 * Reports the end of jobs to all calls of `wait` of a client, by one request that waits at the server for all of them.
 * The feed runs while a job is awaited.
 */
import type { PrintJobData } from './api.ts'
import { Feed } from './events.ts'
import type { Event } from './gen/schema.ts'
import { type Http, path } from './http.ts'

const TYPES: Event['type'][] = ['printjob.done', 'printjob.error', 'printjob.cancelled', 'printjob.expired']

interface Wait {
  resolve: (job: PrintJobData) => void
  reject: (error: unknown) => void
}

export class EndedJobs {
  readonly #http: Http
  /** Waits by the id of the job. */
  readonly #waits = new Map<string, Set<Wait>>()
  #running: { started: Promise<void>; stop: AbortController } | undefined

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * @returns the ended job.
   * @throws ApiError if the key may not read; the reason of `signal`.
   */
  async wait(id: string, signal: AbortSignal): Promise<PrintJobData> {
    signal.throwIfAborted()
    let wait: Wait | undefined
    try {
      return await new Promise<PrintJobData>((resolve, reject) => {
        wait = { resolve, reject }
        this.#waits.set(id, (this.#waits.get(id) ?? new Set()).add(wait))
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        this.#running ??= this.#start()
        const read = () => this.#readIfEnded(id, signal)
        this.#running.started.then(read).then((job) => job && resolve(job), reject)
      })
    } finally {
      if (wait) this.#remove(id, wait)
    }
  }

  /** The end of a job before the feed began is no event of the feed. */
  async #readIfEnded(id: string, signal: AbortSignal): Promise<PrintJobData | undefined> {
    const call = { method: 'GET', path: path`/v1/printjobs/${id}` }
    const job = await this.#http.json<PrintJobData>(call, { signal, maxRetries: Number.POSITIVE_INFINITY })
    return TYPES.some((type) => type === `printjob.${job.state}`) ? job : undefined
  }

  #start() {
    const stop = new AbortController()
    const feed = new Feed(this.#http, { type: TYPES, signal: stop.signal })
    const started = feed.start()
    const run = async () => {
      await started
      for await (const { data } of feed)
        for (const { resolve } of this.#waits.get(data.id) ?? []) resolve(data as PrintJobData)
    }
    run().catch((error: unknown) => {
      // The next wait begins a new feed.
      if (this.#running?.stop === stop) this.#running = undefined
      if (!stop.signal.aborted) for (const waits of this.#waits.values()) for (const { reject } of waits) reject(error)
    })
    return { started, stop }
  }

  #remove(id: string, wait: Wait): void {
    const waits = this.#waits.get(id)
    waits?.delete(wait)
    if (waits?.size === 0) this.#waits.delete(id)
    if (this.#waits.size > 0) return
    this.#running?.stop.abort()
    this.#running = undefined
  }
}
