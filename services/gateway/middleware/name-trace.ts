import { context } from '@opentelemetry/api'
import { getRPCMetadata, RPCType } from '@opentelemetry/core'
import type { Step } from '../context.ts'

/**
 * Sets the route, from which the HTTP instrumentation makes the name of the span when the response is sent: `POST /v1/printjobs`.
 * OpenTelemetry's instrumentation for Koa would also add a useless span for each step.
 */
export const nameTrace: Step = async (ctx, next) => {
  const metadata = getRPCMetadata(context.active())
  await next()
  if (metadata?.type === RPCType.HTTP && ctx._matchedRoute) metadata.route = String(ctx._matchedRoute)
}
