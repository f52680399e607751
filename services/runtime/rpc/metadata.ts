/** Metadata as Connect and as grpc-js has it. Values are texts. */
import { Metadata } from '@grpc/grpc-js'

/** Carries the installation's secret (`PLATEN_RPC_SECRET`) on each call between its parts. */
export const SECRET_HEADER = 'platen-rpc-secret'

export function toHeaders(metadata: Metadata): Headers {
  const headers = new Headers()
  for (const [key, value] of Object.entries(metadata.getMap())) if (typeof value === 'string') headers.set(key, value)
  return headers
}

export function toMetadata(headers: Headers): Metadata {
  const metadata = new Metadata()
  for (const [key, value] of headers) metadata.set(key, value)
  return metadata
}
