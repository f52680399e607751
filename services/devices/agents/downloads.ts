/** Limits the documents that agents download at once, because each holds an open file, and their duration. */
import { status } from '@grpc/grpc-js'
import { DOWNLOAD_LIMITS } from '@platen/resources/limits.ts'
import { TokenBuckets } from '@platen/runtime/token-bucket.ts'
import { type AgentIdentity, Refusal } from './authenticate.ts'

const { perComputer, perOrganization, timeoutMs, stalledMs, calls } = DOWNLOAD_LIMITS
/** Computers whose rate is known. */
const RATES_MAX = 20_000

export interface Download {
  /** Aborted by `end` and, with a Refusal, after the time limits. */
  signal: AbortSignal
  /** The agent has read a chunk. */
  progressed(): void
  end(): void
}

export class Downloads {
  private readonly counts = new Map<string, number>()
  private readonly rates = new TokenBuckets(calls, RATES_MAX)

  /** @throws Refusal RESOURCE_EXHAUSTED. The agent then retries. */
  start({ computerId, organizationId }: Pick<AgentIdentity, 'computerId' | 'organizationId'>): Download {
    if (this.count(computerId) >= perComputer || this.count(organizationId) >= perOrganization)
      throw new Refusal(status.RESOURCE_EXHAUSTED, 'Too many documents are being downloaded. Retry the download.')
    if (!this.rates.get(computerId).tryTake())
      throw new Refusal(status.RESOURCE_EXHAUSTED, 'This computer downloads too often. Retry the download.')
    const ids = [computerId, organizationId]
    for (const id of ids) this.counts.set(id, this.count(id) + 1)
    const ended = new AbortController()
    const abort = (details: string) => ended.abort(new Refusal(status.DEADLINE_EXCEEDED, details))
    const timeout = setTimeout(abort, timeoutMs, 'The download took too long.')
    const stalled = setTimeout(abort, stalledMs, 'The agent does not read the document.')
    return {
      signal: ended.signal,
      progressed: () => void stalled.refresh(),
      end: () => {
        clearTimeout(timeout)
        clearTimeout(stalled)
        if (!ids.splice(0).length) return
        for (const id of [computerId, organizationId]) this.release(id)
        ended.abort()
      },
    }
  }

  private count(id: string): number {
    return this.counts.get(id) ?? 0
  }

  private release(id: string): void {
    const count = this.count(id) - 1
    if (count === 0) this.counts.delete(id)
    else this.counts.set(id, count)
  }
}
