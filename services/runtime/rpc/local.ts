/**
 * Calls between services in one process, with the same messages, errors, deadlines and limits as over the network. Used
 * by `platen-server all` and by the tests.
 */
import { type DescMessage, type DescService, fromBinary, type Message, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect'
import { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import type { ServiceProcess } from '../process.ts'
import { requireCaller } from './callers.ts'
import { createHandlers, createTransport, type Handler, type RpcRouter } from './calls.ts'
import { serveInTurn } from './in-turn.ts'
import { ANSWER_LIMIT_BYTES, DEADLINE_MS, REQUEST_LIMIT_BYTES, type Rpc, type RpcServerOptions } from './rpc.ts'
import { answerErrors, checkHealth, listenForRpc } from './server.ts'
import { traceClient, traceServer } from './tracing.ts'

export interface LocalRpc extends Rpc {
  /** Serves all registered services to other processes on one port. */
  listen(service: ServiceProcess, options: Pick<RpcServerOptions, 'listen' | 'callers'>): Promise<void>
  /** Calls every method, for tests. */
  transport: Transport
}

/** @param interceptors of the caller's side. */
export function createLocalRpc(interceptors: Interceptor[] = []): LocalRpc {
  const served: { service: ServiceProcess; options: RpcServerOptions }[] = []
  /** Handlers by service. A call to a service that has not started waits until its timeout. */
  const starting = new Map<DescService, PromiseWithResolvers<Record<string, Handler>>>()
  const check = async () => void (await Promise.all(served.map(({ service }) => service.readiness.check())))

  function register(service: ServiceProcess, routes: (router: RpcRouter) => void): void {
    const added = createHandlers(routes, [traceServer, answerErrors(service.log), serveInTurn()], service.stopping)
    for (const [target, methods] of added) getStart(target).resolve(methods)
  }

  function getStart(service: DescService) {
    const known = starting.get(service) ?? Promise.withResolvers<Record<string, Handler>>()
    starting.set(service, known)
    return known
  }

  const send: Parameters<typeof createTransport>[2] = async (request, timeoutMs) => {
    const { service, method, message, header, signal } = request
    const response = getStart(service).promise.then((methods) => {
      const handle = methods[method.localName]
      if (!handle) throw new ConnectError(`method ${method.name} is not implemented`, Code.Unimplemented)
      return handle(copy(method.input, message, REQUEST_LIMIT_BYTES), header, () => signal)
    })
    return copy(method.output, await withTimeout(response, signal, timeoutMs), ANSWER_LIMIT_BYTES)
  }
  const connect = (...first: Interceptor[]) =>
    createTransport([traceClient, ...first, ...interceptors], DEADLINE_MS, send)

  return {
    async serve(service, options) {
      if (served.length === 0)
        register(service, (router) => router.service(Health, { check: () => checkHealth({ check }) }))
      served.push({ service, options })
      register(service, options.routes)
    },

    // Without a key, because a part of a process can read everything of the others.
    connect: ({ name }) => connect(requireCaller(() => [name])),

    transport: connect(),

    async listen(service, { listen, callers }) {
      const routes = (router: RpcRouter) => {
        for (const { options } of served) options.routes(router)
      }
      await listenForRpc(service, { listen, callers, routes })
    },
  }
}

/** Isolates both sides from later changes of a message, and applies the size limit of the network. */
function copy(schema: DescMessage, message: Message, limitBytes: number): Message {
  const bytes = toBinary(schema, message)
  if (bytes.length > limitBytes)
    throw new ConnectError(
      `message of ${bytes.length} bytes exceeds the limit of ${limitBytes}`,
      Code.ResourceExhausted,
    )
  return fromBinary(schema, bytes)
}

/** Like grpc-js: the caller continues at once, and the method is only notified by its signal. */
function withTimeout<T>(response: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: Code) => reject(new ConnectError('call cancelled or timed out', code))
    const timer = setTimeout(fail, timeoutMs, Code.DeadlineExceeded)
    const cancel = () => fail(Code.Canceled)
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    response.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    })
  })
}
