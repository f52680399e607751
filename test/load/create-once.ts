import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, expectStatus } from '../harness/api.ts'

const RETRY_MS = 200

/**
 * Creates a job, and repeats the creation with the same `Idempotency-Key` while it is not answered or must be repeated.
 *
 * @returns its id; undefined if the signal has ended the repetitions.
 * @throws Error for a refusal.
 */
export async function createOnce(
  api: Pick<Api, 'post'>,
  key: string,
  job: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  while (!signal?.aborted) {
    const answer = await api.post('/v1/printjobs', job, { 'idempotency-key': key }).catch(() => undefined)
    const retryAfter = answer?.headers.get('retry-after') ?? null
    if (answer && answer.status < 500 && answer.status !== 409 && retryAfter === null)
      return expectStatus(201, answer).id
    await sleep(retryAfter === null ? RETRY_MS : Number(retryAfter) * 1000)
  }
  return undefined
}
