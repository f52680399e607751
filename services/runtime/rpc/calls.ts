/**
 * Both ends of a unary call in Connect's terms (clients, implementations, interceptors), but for what lies in between: gRPC
 * (`grpc-transport.ts`, `server.ts`) or nothing (`local.ts`).
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

/** Takes the implementations of services. A method may answer with the fields of its message alone. */
export interface RpcRouter {
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): void
}

/**
 * One method with the server's interceptors around it.
 *
 * @param getSignal of the caller, for a method that asks for it.
 * @throws ConnectError
 */
export type Handler = (message: Message, header: Headers, getSignal: () => AbortSignal) => Promise<Message>

/** By local name. */
export type Handlers = Map<DescService, Record<string, Handler>>

const NEVER = new AbortController().signal

/** @param send delivers the request within its time, and fails with a ConnectError. */
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
      const call = wrap(interceptors, async (request) => answer(request, await send(request, timeoutMs)))
      const about = { stream: false, service: method.parent, method, requestMethod: 'POST', url: '' } as const
      const message = create(method.input, input)
      const response = await call({ ...about, message, signal, header: new Headers(header), contextValues })
      return response as UnaryResponse<typeof method.input, typeof method.output>
    },
    stream: () => Promise.reject(new ConnectError('streams are not served', Code.Unimplemented)),
  }
}

/** @param stopping also aborts the signal that a method sees. */
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
  const about = { service: method.parent, method, requestMethod: 'POST', url: '' }
  const call = wrap(interceptors, async (request) => {
    const output = await impl(request.message, {
      ...about,
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
    return answer(request, create(method.output, output))
  })
  return async (message, header, getSignal) => {
    const { message: output } = await call({
      ...about,
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

function answer({ service, method }: UnaryRequest, message: Message): UnaryResponse {
  return { stream: false, service, method, header: new Headers(), trailer: new Headers(), message }
}
