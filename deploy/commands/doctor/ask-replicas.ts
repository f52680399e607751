/** Asks every replica of every service for its state. */
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { type DiagnoseResponse, DiagnosticsService } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createRpcClient } from '@platen/runtime/rpc/client.ts'
import { createOperatorTransport } from '@platen/runtime/rpc/operator-transport.ts'
import { withTimeout } from '@platen/runtime/timers.ts'
import { SERVICES } from '../../../services/roles.ts'
import type { FoundServices } from '../find-services.ts'

/** Longer than a replica waits for its own parts (3 s). */
const ANSWER_TIMEOUT_MS = 4_000
const LOOKUP_TIMEOUT_MS = 3_000

/** An address to which the settings of some services lead. */
export interface Asked {
  services: string[]
  address: string
  answer: Answer | NoAnswer
}

export interface Answer {
  response: DiagnoseResponse
  /** The time by the clock of this machine. */
  sentAtMs: number
  receivedAtMs: number
}

export interface NoAnswer {
  why: 'no address' | 'silent' | 'other secret' | 'not served' | 'defect'
  error: string
}

export async function askReplicas(found: FoundServices): Promise<Asked[]> {
  const fingerprintKey = randomBytes(32)
  const targets = (await Promise.all(Object.keys(SERVICES).map((service) => findTargets(found, service)))).flat()
  // In one process, all services have the same address.
  const byAddress = Map.groupBy(targets, ({ address }) => address)
  return await Promise.all(
    [...byAddress].map(async ([address, same]) => {
      const failed = same.find(({ failed }) => failed)?.failed
      const answer = failed ?? (await ask(address, found, fingerprintKey))
      return { services: same.map(({ service }) => service), address, answer }
    }),
  )
}

interface Target {
  service: string
  address: string
  failed?: NoAnswer
}

/** The calls between services find replicas in the same way (grpc-js): every address of the name is one. */
async function findTargets({ getUrl }: FoundServices, service: string): Promise<Target[]> {
  const url = new URL(getUrl(service))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    const addresses = await withTimeout(LOOKUP_TIMEOUT_MS, lookup(host, { all: true }))
    if (!addresses) throw new Error(`no answer within ${LOOKUP_TIMEOUT_MS / 1000} s`)
    return addresses.map(({ address, family }) => ({
      service,
      address: `${family === 6 ? `[${address}]` : address}:${url.port || 80}`,
    }))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return [{ service, address: host, failed: { why: 'no address', error: error.message } }]
  }
}

async function ask(address: string, { secret }: FoundServices, fingerprintKey: Uint8Array): Promise<Answer | NoAnswer> {
  const transport = createOperatorTransport({ url: `http://${address}`, secret }, ANSWER_TIMEOUT_MS)
  const sentAtMs = Date.now()
  try {
    const response = await createRpcClient(DiagnosticsService, transport).diagnose({ fingerprintKey })
    return { response, sentAtMs, receivedAtMs: Date.now() }
  } catch (error) {
    return toNoAnswer(error)
  }
}

function toNoAnswer(error: unknown): NoAnswer {
  if (error instanceof ApiError && error.code === 'service_unavailable') return { why: 'silent', error: error.message }
  const { code, rawMessage } = ConnectError.from(error)
  if (code === Code.Unauthenticated) return { why: 'other secret', error: rawMessage }
  if (code === Code.Unimplemented) return { why: 'not served', error: rawMessage }
  return { why: 'defect', error: rawMessage }
}
