/**
 * Keeps the requests of API keys and print accesses that were answered with an error, for the page Requests of the
 * dashboard: without bodies and titles. They are written by the way: a refusal is lost if the gateway crashes, or if an
 * organization has more of them than its share.
 */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createWriteBatches } from '@platen/runtime/batches.ts'
import { TokenBuckets } from '@platen/runtime/token-bucket.ts'
import { v7 as uuidv7 } from 'uuid'
import { getCredentialId } from '../caller.ts'
import type { Step } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/** The rate of an organization, at this replica. The service keeps the newest 1,000 of a day. */
const KEPT = { perSecond: 2, burst: 100 }
const ORGANIZATIONS_MAX = 10_000
const WRITE_EVERY_MS = 500
const MESSAGE_LENGTH_MAX = 500

type Refusal = NonNullable<Parameters<Gateway['accounts']['recordRefusals']>[0]['refusals']>[number]

export function keepRefusals({ accounts, clock, log }: Pick<Gateway, 'accounts' | 'clock' | 'log'>): Step {
  const shares = new TokenBuckets(KEPT, ORGANIZATIONS_MAX, clock.monotonicMs)
  const write = createWriteBatches<Refusal & { id: string }>({
    everyMs: WRITE_EVERY_MS,
    maxItems: 200,
    getKey: ({ id }) => id,
    waitingMax: { owner: 1_000, all: 1_000 },
    write: async (refusals) => void (await accounts.recordRefusals({ refusals })),
  })
  return async (ctx, next) => {
    await next()
    const { caller, errorCode, errorMessage, requestId } = ctx.state
    if (errorCode === undefined || errorMessage === undefined || !caller || caller.credential.kind === 'session') return
    const { organization, mode } = caller
    if (!shares.get(organization.id).tryTake()) return
    const refusal = {
      id: uuidv7(),
      organizationId: organization.id,
      mode,
      apiKeyId: getCredentialId(caller),
      at: timestampFromDate(clock.now()),
      method: ctx.method,
      route: String(ctx._matchedRoute ?? ''),
      status: ctx.status,
      code: errorCode,
      message: errorMessage.slice(0, MESSAGE_LENGTH_MAX).toWellFormed(),
      requestId,
    }
    write(refusal).catch((error: unknown) => log.debug({ err: error, request_id: requestId }, 'refusal not kept'))
  }
}
