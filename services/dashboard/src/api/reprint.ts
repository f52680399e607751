import type { Call } from './client.ts'
import type { Job } from './resources.ts'

/**
 * Prints a stored document again, with its options.
 *
 * @param idempotencyKey one for each intention, so that a repeated request creates one job.
 * @param printerId another printer.
 */
export function reprintCall(job: Job, idempotencyKey: string, printerId = job.printerId): Call<Job> {
  const { id, title, source, qty, expireAfter, options, metadata } = job
  return (api) =>
    api.POST('/v1/printjobs', {
      params: { header: { 'Idempotency-Key': idempotencyKey } },
      body: { printerId, reprintOf: id, title, source, qty, expireAfter, options, metadata },
    })
}
