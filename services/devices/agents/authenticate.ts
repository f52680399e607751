import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js'
import { REFUSAL_TRAILER } from '@platen/proto/grpc.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { createExpiringMap } from '@platen/runtime/cache.ts'
import type { Devices } from '../devices.ts'
import { hashCredential, parseCredential } from './credential.ts'

export interface AgentIdentity {
  computerId: string
  organizationId: string
  mode: string
  /** The time of the present credential. */
  issuedAt: Date
  /** The SHA-256 of the credential in hex, if it is offered (`new-credentials.ts`) and not yet the present one. */
  newSha256: string | null
}

/** The status of a refused call. grpc-js expects it as the 'error' event of the call. */
export class Refusal extends Error {
  readonly code: status
  readonly details: string
  /** Trailers. */
  readonly metadata = new Metadata()

  constructor(code: status, details: string) {
    super(details)
    this.code = code
    this.details = details
    if (code === status.UNAUTHENTICATED) this.metadata.set(REFUSAL_TRAILER, 'credential')
  }
}

/** The credential belongs to a deleted computer. */
export class DeletedComputer extends Refusal {
  constructor() {
    super(status.UNAUTHENTICATED, 'This computer was deleted. Enrol it again to print here.')
  }
}

/** The credential was the one before the present one of the computer. */
export class RevokedCredential extends Refusal {
  readonly computerId: string

  constructor(computerId: string) {
    super(status.UNAUTHENTICATED, 'The credential of this computer was replaced. Enrol this computer again.')
    this.computerId = computerId
  }
}

type Known = AgentIdentity & { deleted: boolean; revoked: boolean }

interface LookUp {
  /** SHA-256 of the credential, in hex. */
  hash: string
  /** The address of the caller. Addresses are served in turn. */
  address: string
}

/** @returns the computer of a credential; null if it is unknown. */
export type Credentials = (lookUp: LookUp) => Promise<Known | null>

/** Look-ups in batches, so that a flood of invented credentials costs at most 50 statements per second. */
const LOOK_UP_EVERY_MS = 20
const LOOK_UPS_MAX = 500
const LOOK_UPS_WAITING_MAX = { owner: 10_000, all: 20_000 }
/** A credential is looked up again after this time. */
const UNKNOWN_MS = 5_000
const UNKNOWN_MAX = 10_000

export function createCredentials(pool: Devices['pool']): Credentials {
  const unknown = createExpiringMap<true>({ ttlMs: UNKNOWN_MS, max: UNKNOWN_MAX })
  const find = createBatches<LookUp, Known | null>({
    everyMs: LOOK_UP_EVERY_MS,
    maxItems: LOOK_UPS_MAX,
    waitingMax: LOOK_UPS_WAITING_MAX,
    getKey: ({ hash }) => hash,
    getOwner: ({ address }) => address,
    async run(lookUps) {
      const { rows } = await pool.query<Known & { hash: string }>({
        name: 'authenticate agents',
        text: `SELECT encode(sha256, 'hex') AS hash, id AS "computerId", organization_id AS "organizationId", mode,
                 deleted_at IS NOT NULL AS deleted, sha256 = revoked_credential_sha256 IS TRUE AS revoked,
                 COALESCE(credential_issued_at, created_at) AS "issuedAt",
                 CASE WHEN sha256 = new_credential_sha256 THEN encode(sha256, 'hex') END AS "newSha256"
               FROM unnest($1::bytea[]) AS sent (sha256)
               JOIN devices.computer
                 ON sha256 = credential_sha256 OR sha256 = new_credential_sha256 OR sha256 = revoked_credential_sha256`,
        values: [lookUps.map(({ hash }) => Buffer.from(hash, 'hex'))],
      })
      const found = new Map<string, Known | null>(rows.map(({ hash, ...known }) => [hash, known]))
      return new Map(lookUps.map(({ hash }) => [hash, found.get(hash) ?? null]))
    },
  })
  return async (lookUp) => {
    if (unknown.has(lookUp.hash)) return null
    const known = await find(lookUp)
    if (!known) unknown.set(lookUp.hash, true)
    return known
  }
}

/**
 * @param limitRate called with the hash of the credential, before its look-up.
 * @throws DeletedComputer; RevokedCredential; Refusal UNAUTHENTICATED, with the same text for every other invalid
 *   credential.
 */
export async function authenticate(
  { credentials }: Devices,
  call: Pick<ServerDuplexStream<unknown, unknown>, 'metadata' | 'getPeer'>,
  limitRate: (hash: string) => void = () => undefined,
): Promise<AgentIdentity> {
  const credential = parseCredential(call.metadata)
  if (credential) {
    const hash = hashCredential(credential).toString('hex')
    limitRate(hash)
    const known = await credentials({ hash, address: call.getPeer().replace(/:\d+$/, '') })
    if (known?.deleted) throw new DeletedComputer()
    if (known?.revoked) throw new RevokedCredential(known.computerId)
    if (known) return known
  }
  throw new Refusal(status.UNAUTHENTICATED, 'The credential is not valid. Enrol this computer again.')
}
