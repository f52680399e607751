/** The client of the calls of operators: the Connect protocol over HTTP/1.1. */
import type { Interceptor, Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { ANSWER_LIMIT_BYTES, OPERATOR_DEADLINE_MS } from './rpc.ts'

export interface OperatorTransportOptions {
  /** The URL of an operations port: `http://jobs:9464`. */
  url: string
  secret: string
}

export function createOperatorTransport(
  { url, secret }: OperatorTransportOptions,
  timeoutMs = OPERATOR_DEADLINE_MS,
): Transport {
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${secret}`)
    return next(request)
  }
  return createConnectTransport({
    baseUrl: url,
    httpVersion: '1.1',
    interceptors: [authenticate],
    defaultTimeoutMs: timeoutMs,
    readMaxBytes: ANSWER_LIMIT_BYTES,
  })
}
