import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Writable } from 'node:stream'

/** Frees what the agent does not read, which the end of a call would keep. grpc-js has no public call for it. */
export function resetCall(call: Writable): void {
  const { call: internal } = call as unknown as { call?: { stream?: ServerHttp2Stream } }
  internal?.stream?.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
}
