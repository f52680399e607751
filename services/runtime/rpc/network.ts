/** Calls between services that are processes of their own: Connect over HTTP/2, spread over the replicas. */
import type { Interceptor } from '@connectrpc/connect'
import { createBalancedTransport } from './balanced-transport.ts'
import { DEADLINE_MS, type Rpc } from './rpc.ts'
import { SECRET_HEADER } from './secret-header.ts'
import { listenForRpc } from './server.ts'
import { traceClient } from './tracing.ts'

export const networkRpc: Rpc = {
  serve: listenForRpc,
  connect(service, target, { url, secret }) {
    const authenticate: Interceptor = (next) => (request) => {
      request.header.set(SECRET_HEADER, secret)
      return next(request)
    }
    const { transport, close } = createBalancedTransport({
      baseUrl: url,
      defaultTimeoutMs: DEADLINE_MS,
      interceptors: [traceClient, authenticate],
    })
    service.onStop(`client of ${target.typeName}`, close)
    return transport
  },
}
