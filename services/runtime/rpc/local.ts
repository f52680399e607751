/**
 * Calls between services that run in one process: the same messages, errors, deadlines and limits as over the network, without a
 * connection. Used by `platen all` and by the tests.
 */
import { type DescMessage, type DescService, fromBinary, type Message, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import type { ServiceProcess } from '../process.ts'
import { createHandlers, createTransport, type Handler, type RpcRouter } from './calls.ts'
import { ANSWER_LIMIT_BYTES, DEADLINE_MS, REQUEST_LIMIT_BYTES, type Rpc, type RpcServerOptions } from './rpc.ts'
import { answerErrors, checkHealth, listenForRpc } from './server.ts'
import { traceClient, traceServer } from './tracing.ts'

export interface LocalRpc extends Rpc {
  /** Serves what was registered until now to other processes too, on one port. */
  listen(service: ServiceProcess, options: Pick<RpcServerOptions, 'listen' | 'secret'>): Promise<void>
}

/** @param interceptors around each call, on the caller's side. */
export function createLocalRpc(interceptors: Interceptor[] = []): LocalRpc {
  const served: RpcServerOptions[] = []
  /** Also of services that have not started yet: a call to one waits, as long as it may. */
  const starting = new Map<DescService, PromiseWithResolvers<Record<string, Handler>>>()
  const ready = () => Promise.all(served.map((one) => one.ready()))

  function register(service: ServiceProcess, routes: (router: RpcRouter) => void): void {
    const added = createHandlers(routes, [traceServer, answerErrors(service.log)], service.stopping)
    for (const [target, methods] of added) startOf(target).resolve(methods)
  }

  function startOf(service: DescService) {
    const known = starting.get(service) ?? Promise.withResolvers<Record<string, Handler>>()
    starting.set(service, known)
    return known
  }
  const whenStarted = (service: DescService) => startOf(service).promise

  const transport = createTransport([traceClient, ...interceptors], DEADLINE_MS, async (request, timeoutMs) => {
    const { service, method, message, header, signal } = request
    const answer = whenStarted(service).then((methods) => {
      const handle = methods[method.localName]
      if (!handle) throw new ConnectError(`${method.name} is not served`, Code.Unimplemented)
      return handle(copy(method.input, message, REQUEST_LIMIT_BYTES), header, () => signal)
    })
    return copy(method.output, await inTime(answer, signal, timeoutMs), ANSWER_LIMIT_BYTES)
  })

  return {
    async serve(service, options) {
      if (served.length === 0)
        register(service, (router) => router.service(Health, { check: () => checkHealth(service.stopping, ready) }))
      served.push(options)
      register(service, options.routes)
    },

    connect: () => transport,

    async listen(service, { listen, secret }) {
      const routes = (router: RpcRouter) => {
        for (const one of served) one.routes(router)
      }
      await listenForRpc(service, { listen, secret, routes, ready })
    },
  }
}

/** Neither side sees what the other one does to a message afterwards, nor one that would not pass over the network. */
function copy(schema: DescMessage, message: Message, limitBytes: number): Message {
  const bytes = toBinary(schema, message)
  if (bytes.length > limitBytes)
    throw new ConnectError(`message of ${bytes.length} bytes is over the limit`, Code.ResourceExhausted)
  return fromBinary(schema, bytes)
}

/** As grpc-js has it: the caller goes on; the method learns it by its signal, or never. */
function inTime<T>(answer: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: Code) => reject(new ConnectError('the call was given up', code))
    const timer = setTimeout(fail, timeoutMs, Code.DeadlineExceeded)
    const cancel = () => fail(Code.Canceled)
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    })
  })
}
