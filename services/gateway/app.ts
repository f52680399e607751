/** The steps of every request, in their order. */
import Koa from 'koa'
import { createApiKeys } from './authentication/api-keys.ts'
import { authenticate, selectCaller } from './authentication/authenticate.ts'
import { refuseForgedRequest } from './authentication/refuse-forged-request.ts'
import type { RequestState } from './context.ts'
import type { Gateway } from './gateway.ts'
import { serveIpp } from './ipp/serve-ipp.ts'
import { answerErrors } from './middleware/answer-errors.ts'
import { closeUnreadBody } from './middleware/close-unread-body.ts'
import { discardBody } from './middleware/discard-body.ts'
import { keepRefusals } from './middleware/keep-refusals.ts'
import { logRequest } from './middleware/log-request.ts'
import { refuseUnmatched } from './middleware/refuse-unmatched.ts'
import { nameRequest } from './middleware/request-id.ts'
import { requireTarget } from './middleware/require-target.ts'
import { setSecurityHeaders } from './middleware/security-headers.ts'
import { traceRequest } from './middleware/trace-request.ts'
import { refusePrintNode, servePrintNode } from './printnode/serve-printnode.ts'
import { limitRate } from './rate-limit/limit-rate.ts'
import { createRouter, PUBLIC_PATHS } from './router.ts'

export function createApp(gateway: Gateway): Koa<RequestState> {
  const app = new Koa<RequestState>()
  app.use(closeUnreadBody(gateway.stopping))
  app.use(nameRequest)
  app.use(traceRequest)
  app.use(setSecurityHeaders(gateway.hsts))
  app.use(logRequest(gateway.log))
  app.use(keepRefusals(gateway))
  app.use(answerErrors(gateway))
  app.use(requireTarget)
  if (gateway.ipp) app.use(serveIpp(gateway))
  const apiKeys = createApiKeys({ ...gateway, now: gateway.clock.monotonicMs })
  app.use(gateway.printNode ? servePrintNode(gateway, apiKeys, gateway.printNode.host) : refusePrintNode(gateway))
  app.use(authenticate(gateway, apiKeys, PUBLIC_PATHS))
  app.use(limitRate(gateway.rateLimiter))
  app.use(refuseForgedRequest(gateway))
  app.use(selectCaller(gateway))
  app.use(discardBody)
  const router = createRouter(gateway)
  app.use(router.routes())
  app.use(refuseUnmatched(router))
  // Errors after the last step: in nearly all cases the client closed the connection before it read the response.
  app.on('error', (error: NodeJS.ErrnoException) => {
    const level = error.code === 'ECONNRESET' || error.code === 'EPIPE' ? 'debug' : 'error'
    gateway.log[level]({ err: error }, 'failed to write a response')
  })
  return app
}
