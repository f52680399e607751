/**
 * The calls of operators, on the operations port (`operations.ts`): the Connect protocol, whose JSON `curl` can send,
 * and gRPC-Web. They carry a secret that no service has. Reference: docs/operations/calls.md#calls-of-operators.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Code, ConnectError, type ConnectRouter, type Interceptor, type MethodImpl } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { type Keyring, matchesAny, toSha256 } from '../keyring.ts'
import type { ServiceProcess } from '../process.ts'
import { withTimeout } from '../timers.ts'
import { isForOperators } from './callers.ts'
import type { RpcRouter } from './calls.ts'
import { OPERATOR_DEADLINE_MS, REQUEST_LIMIT_BYTES } from './rpc.ts'
import { answerErrors } from './server.ts'
import { traceServer } from './tracing.ts'

type Handle = ReturnType<typeof connectNodeAdapter>
type Service = Pick<ServiceProcess, 'log' | 'stopping'>

export interface OperatorCalls {
  /** Adds those methods that operators may call. */
  add(service: Service, routes: (router: RpcRouter) => void): void
  /** @param digests the SHA-256 of each accepted secret; undefined: no call is accepted. */
  answer(request: IncomingMessage, response: ServerResponse, digests: Keyring | undefined): void
}

/** @param isStarted until then calls fail with `unavailable`. */
export function createOperatorCalls(isStarted: () => boolean): OperatorCalls {
  let handle: Handle = (_request, response) =>
    refuse(response, 501, 'unimplemented', 'This process has no such method for operators.')
  return {
    add(service, routes) {
      handle = connectNodeAdapter({
        routes: (router) => routes(selectMethods(router)),
        fallback: handle,
        interceptors: [traceServer, answerErrors(service.log), limitTime],
        grpc: false,
        readMaxBytes: REQUEST_LIMIT_BYTES,
        acceptCompression: [],
        shutdownSignal: service.stopping,
      })
    },
    answer(request, response, digests) {
      if (!digests)
        refuse(
          response,
          501,
          'unimplemented',
          'Set PLATEN_OPERATOR_SECRET_SHA256 of this process to permit these calls.',
        )
      else if (!isAuthorized(request, digests))
        refuse(
          response,
          401,
          'unauthenticated',
          'The secret of the operator is missing or wrong. Check PLATEN_OPERATOR_SECRET.',
        )
      else if (!isStarted()) refuse(response, 503, 'unavailable', 'This process is starting.')
      else handle(request, response)
    },
  }
}

function selectMethods(router: ConnectRouter): RpcRouter {
  return {
    service(service, implementation) {
      for (const method of service.methods.filter(isForOperators)) {
        const implemented = implementation[method.localName] as MethodImpl<typeof method> | undefined
        if (implemented) router.rpc(method, implemented)
      }
    },
  }
}

const limitTime: Interceptor = (next) => async (request) => {
  const response = await withTimeout(OPERATOR_DEADLINE_MS, next(request))
  if (!response) throw new ConnectError(`no result within ${OPERATOR_DEADLINE_MS / 1000} s`, Code.DeadlineExceeded)
  return response
}

function isAuthorized({ headers }: IncomingMessage, digests: Keyring): boolean {
  const [, secret = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return matchesAny(digests, toSha256(secret))
}

/** In the format of Connect. The body of the request is not read. */
function refuse(response: Parameters<Handle>[1], status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ code, message }))
}
