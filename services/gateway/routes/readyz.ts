import { HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { createCache } from '@platen/runtime/cache.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/** Probes usually wait for 1 to 5 s. */
const CHECK_TIMEOUT_MS = 1_000
/** The page is public, so many requests share one check of the services. */
const CHECKED_FOR_MS = 1_000

/** Requests can be served. @throws ApiError `service_unavailable`. The log names the missing services. */
export function readyz({ health, stopping, log, clock, optionalTimeoutMs = CHECK_TIMEOUT_MS }: Gateway): RouteStep {
  const results = createCache<string[]>({ ttlMs: CHECKED_FOR_MS, max: 1, now: () => clock.monotonicMs() })

  async function findMissing(): Promise<string[]> {
    const checks = Object.entries(health).map(async ([name, client]) => {
      try {
        const { status } = await client.check({}, { timeoutMs: optionalTimeoutMs })
        return status === HealthCheckResponse_ServingStatus.SERVING ? [] : [name]
      } catch (error) {
        log.debug({ err: error, service: name }, 'not ready')
        return [name]
      }
    })
    const missing = (await Promise.all(checks)).flat()
    if (missing.length > 0) log.warn({ missing }, 'not ready, services are missing')
    return missing
  }

  return async (ctx) => {
    const missing = await results.get('services', findMissing)
    if (missing.length > 0) throw new ApiError('service_unavailable', 'Not ready. The log names the missing services.')
    if (stopping.aborted) throw new ApiError('service_unavailable', 'Not ready: this gateway is stopping.')
    ctx.body = { status: 'ok' }
  }
}
