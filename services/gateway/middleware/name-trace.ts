import { context } from '@opentelemetry/api'
import { getRPCMetadata, RPCType } from '@opentelemetry/core'
import type { Step } from '../context.ts'

/**
 * Gives the request's span its name, `POST /v1/printjobs`: the HTTP instrumentation asks for the route when the answer is sent.
 * OpenTelemetry's own instrumentation for Koa does it too, and adds a span for each of our steps, which tell nobody anything.
 */
export const nameTrace: Step = async (ctx, next) => {
  const metadata = getRPCMetadata(context.active())
  await next()
  if (metadata?.type === RPCType.HTTP && ctx._matchedRoute) metadata.route = String(ctx._matchedRoute)
}
