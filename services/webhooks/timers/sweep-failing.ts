import { probeUnreachable } from '../delivery/resume.ts'
import { disableFailing } from '../disable-failing.ts'
import type { Webhooks } from '../webhooks.ts'

/**
 * Disables endpoints that have failed for too long, also those without deliveries, and finds out whether the others can
 * be reached. Reads only failing endpoints, by `endpoint_failing`.
 */
export async function sweepFailing(
  webhooks: Pick<Webhooks, 'orm' | 'pool' | 'clock' | 'log' | 'disableAfterMs'>,
): Promise<void> {
  await disableFailing(webhooks)
  await probeUnreachable(webhooks)
}
