/**
 * Lets `@grpc/grpc-js` speak the services that protobuf-es generated. Used by both ends of the agents' streams and of the calls between
 * services.
 */
import {
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { type MethodDefinition, makeGenericClientConstructor, type ServiceDefinition } from '@grpc/grpc-js'

/** The service as grpc-js wants it: paths, and functions between messages and bytes. Keys are the method names, "connect". */
export function grpcServiceDefinition(service: DescService): ServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.localName, grpcMethod(service, method)]))
}

/** A grpc-js client class for the service; its methods are named as in the definition. */
export function grpcClientConstructor(service: DescService) {
  return makeGenericClientConstructor(grpcServiceDefinition(service), service.typeName)
}

type Input = MessageShape<DescMethod['input']>
type Output = MessageShape<DescMethod['output']>

function grpcMethod(service: DescService, method: DescMethod): MethodDefinition<Input, Output> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
    responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
    requestSerialize: (message) => toBuffer(method.input, message),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => toBuffer(method.output, message),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  }
}

/** The same bytes, not a copy. */
function toBuffer(schema: DescMessage, message: Input | Output): Buffer {
  const { buffer, byteOffset, byteLength } = toBinary(schema, message)
  return Buffer.from(buffer, byteOffset, byteLength)
}
