/** Conversion of metadata between Connect and grpc-js. Only text values. */
import { Metadata } from '@grpc/grpc-js'

/**
 * Contains the key of the caller (`PLATEN_RPC_KEY`) in each call between services. 0.1.0 sends the secret of the
 * installation in it.
 */
export const KEY_HEADER = 'platen-rpc-secret'

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
