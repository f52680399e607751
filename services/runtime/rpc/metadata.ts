/** Conversion of metadata between Connect and grpc-js. Only text values. */
import { Metadata } from '@grpc/grpc-js'

/** Contains the secret of the installation (`PLATEN_RPC_SECRET`) in each call between services. */
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
