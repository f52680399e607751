/**
 * Both ends of a unary call in terms of Connect (clients, implementations, interceptors). The transport between them is
 * gRPC (`grpc-transport.ts`, `server.ts`) or a function call (`local.ts`).
 */
import { create, type DescService, type Message } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  createContextValues,
  createServiceImplSpec,
  type Interceptor,
  type ServiceImpl,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect'

/** Registers implementations of services. A method may return a plain object instead of a message. */
export interface RpcRouter {
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): void
}

/**
 * One method with the interceptors of the server.
 *
 * @param getSignal creates the signal of the caller if the method uses it.
 * @throws ConnectError
 */
export type Handler = (message: Message, header: Headers, getSignal: () => AbortSignal) => Promise<Message>

/** Handlers by local name. */
export type Handlers = Map<DescService, Record<string, Handler>>

const NEVER = new AbortController().signal

/** @param send delivers the request within the timeout. @throws ConnectError */
export function createTransport(
  interceptors: Interceptor[],
  defaultTimeoutMs: number,
  send: (request: UnaryRequest, timeoutMs: number) => Promise<Message>,
): Transport {
  return {
    async unary(
      method,
      signal = NEVER,
      timeoutMs = defaultTimeoutMs,
      header,
      input,
      contextValues = createContextValues(),
    ) {
      const call = wrap(interceptors, async (request) => toResponse(request, await send(request, timeoutMs)))
      const description = { stream: false, service: method.parent, method, requestMethod: 'POST', url: '' } as const
      const message = create(method.input, input)
      const response = await call({ ...description, message, signal, header: new Headers(header), contextValues })
      return response as UnaryResponse<typeof method.input, typeof method.output>
    },
    stream: () => Promise.reject(new ConnectError('streams are not supported', Code.Unimplemented)),
  }
}

/** @param stopping also aborts the signal of a method. */
export function createHandlers(
  routes: (router: RpcRouter) => void,
  interceptors: Interceptor[],
  stopping: AbortSignal,
): Handlers {
  const handlers: Handlers = new Map()
  routes({
    service(service, implementation) {
      const { methods } = createServiceImplSpec(service, implementation)
      const unary = Object.entries(methods).flatMap(([name, spec]) =>
        spec.kind === 'unary' ? [[name, createHandler(spec, interceptors, stopping)] as const] : [],
      )
      handlers.set(service, Object.fromEntries(unary))
    },
  })
  return handlers
}

type Methods = ReturnType<typeof createServiceImplSpec>['methods']
type UnaryMethod = Extract<Methods[string], { kind: 'unary' }>

function createHandler({ method, impl }: UnaryMethod, interceptors: Interceptor[], stopping: AbortSignal): Handler {
  const description = { service: method.parent, method, requestMethod: 'POST', url: '' }
  const call = wrap(interceptors, async (request) => {
    const output = await impl(request.message, {
      ...description,
      protocolName: 'grpc',
      requestHeader: request.header,
      responseHeader: new Headers(),
      responseTrailer: new Headers(),
      values: request.contextValues,
      timeoutMs: () => undefined,
      get signal() {
        return request.signal
      },
    })
    return toResponse(request, create(method.output, output))
  })
  return async (message, header, getSignal) => {
    const { message: output } = await call({
      ...description,
      stream: false,
      method,
      message,
      header,
      contextValues: createContextValues(),
      get signal() {
        return AbortSignal.any([getSignal(), stopping])
      },
    })
    return output as Message
  }
}

function wrap(interceptors: Interceptor[], call: (request: UnaryRequest) => Promise<UnaryResponse>) {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), call as ReturnType<Interceptor>)
}

function toResponse({ service, method }: UnaryRequest, message: Message): UnaryResponse {
  return { stream: false, service, method, header: new Headers(), trailer: new Headers(), message }
}
