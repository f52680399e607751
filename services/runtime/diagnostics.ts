/**
 * What `platen-server doctor` learns about a process. Parts of a service add their facts, as they add conditions to its
 * readiness. `operations.ts` serves them.
 */
import { createHmac } from 'node:crypto'
import { hostname } from 'node:os'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type DiagnoseRequest,
  type DiagnoseResponse,
  DiagnoseResponseSchema,
  type Report,
  ReportSchema,
} from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { ApiError } from './errors.ts'
import type { Keyring } from './keyring.ts'
import type { ServiceProcess } from './process.ts'
import { release } from './release.ts'
import { withTimeout } from './timers.ts'

/** Shorter than the deadline of the call. */
const READ_TIMEOUT_MS = 3_000
/** Equal secrets have equal fingerprints, and different ones practically never. */
const FINGERPRINT_BYTES = 8

type Facts = Omit<MessageInitShape<typeof ReportSchema>, '$typeName'>

export interface Diagnostics {
  /**
   * @param part for messages, for example `database`.
   * @param read throws if the part does not work. Ends are awaited for 3 s.
   */
  add(part: string, read: () => Promise<Facts> | Facts): void
  /** @param setting for example `PLATEN_FETCH_KEY`. */
  addSecret(setting: string, keys: Keyring): void
  /** For a process that runs several services, which then reports only these. */
  addService(service: Diagnostics): void
  /** @param fingerprintKey of the fingerprints of secrets. */
  read(fingerprintKey: Uint8Array): Promise<Report[]>
}

export function createDiagnostics(service: string): Diagnostics {
  const services: Diagnostics[] = []
  const parts: { part: string; read: () => Promise<Facts> | Facts }[] = []
  const secrets = new Map<string, Keyring>()
  return {
    add: (part, read) => void parts.push({ part, read }),
    addSecret: (setting, keys) => void secrets.set(setting, keys),
    addService: (added) => void services.push(added),
    async read(fingerprintKey) {
      if (services.length > 0) return (await Promise.all(services.map((one) => one.read(fingerprintKey)))).flat()
      const facts = await Promise.all(parts.map(readFacts))
      const report = create(ReportSchema, {
        ...Object.assign({}, ...facts),
        service,
        streams: facts.flatMap(({ streams = [] }) => streams),
        failures: facts.flatMap(({ failures = [] }) => failures),
        secrets: [...secrets].map(([setting, keys]) => ({
          setting,
          fingerprints: keys.map((key) => toFingerprint(fingerprintKey, key)),
        })),
      })
      return [report]
    },
  }
}

async function readFacts({ part, read }: { part: string; read: () => Promise<Facts> | Facts }): Promise<Facts> {
  try {
    const facts = await withTimeout(READ_TIMEOUT_MS, Promise.resolve().then(read))
    return facts ?? { failures: [{ part, error: `no answer within ${READ_TIMEOUT_MS / 1000} s` }] }
  } catch (error) {
    return { failures: [{ part, error: explain(error) }] }
  }
}

/** The cause of an `ApiError` says more to an operator than its message, which is for callers of the API. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError) return error.errors.map(explain).join(', ')
  if (error.cause === undefined) return error.message
  const cause = explain(error.cause)
  return error instanceof ApiError ? cause : `${error.message}: ${cause}`
}

/** The key is random and not stored, so that a fingerprint does not help to guess a weak secret later. */
const toFingerprint = (key: Uint8Array, secret: Buffer) =>
  createHmac('sha256', key).update(secret).digest().subarray(0, FINGERPRINT_BYTES)

const startedAt = Math.round(Date.now() - process.uptime() * 1000)

/** The RPC. */
export async function diagnose(
  { diagnostics, drainMs }: Pick<ServiceProcess, 'diagnostics' | 'drainMs'>,
  { fingerprintKey }: Pick<DiagnoseRequest, 'fingerprintKey'>,
): Promise<DiagnoseResponse> {
  const receivedAt = timestampFromMs(Date.now())
  const reports = await diagnostics.read(fingerprintKey)
  return create(DiagnoseResponseSchema, {
    release,
    // The first process of a container has no other name than its host.
    instance: process.pid === 1 ? hostname() : `${hostname()}:${process.pid}`,
    startedAt: timestampFromMs(startedAt),
    receivedAt,
    answeredAt: timestampFromMs(Date.now()),
    drainSeconds: Math.round(drainMs / 1000),
    reports,
  })
}
