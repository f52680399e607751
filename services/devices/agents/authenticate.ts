import { type Metadata, status } from '@grpc/grpc-js'
import type { Devices } from '../devices.ts'
import { credentialOf, hashCredential } from './credential.ts'

export interface AgentIdentity {
  computerId: string
  organizationId: string
  mode: string
}

/** How a call is ended with a status: grpc-js wants it emitted as the call's 'error'. */
export class Refusal extends Error {
  readonly code: status
  readonly details: string

  constructor(code: status, details: string) {
    super(details)
    this.code = code
    this.details = details
  }
}

/** The credential was that of a computer which was deleted. */
export class DeletedComputer extends Refusal {
  constructor() {
    super(status.UNAUTHENTICATED, 'This computer was deleted: enrol it again to print here.')
  }
}

/** @throws Refusal UNAUTHENTICATED, the same for every bad credential but that of a deleted computer. */
export async function authenticate(devices: Devices, metadata: Metadata): Promise<AgentIdentity> {
  const credential = credentialOf(metadata)
  if (credential) {
    const { rows } = await devices.pool.query<AgentIdentity & { deleted: boolean }>({
      name: 'authenticate agent',
      text: `SELECT id AS "computerId", organization_id AS "organizationId", mode, deleted_at IS NOT NULL AS deleted
             FROM devices.computer WHERE credential_sha256 = $1`,
      values: [hashCredential(credential)],
    })
    if (rows[0]?.deleted) throw new DeletedComputer()
    if (rows[0]) return rows[0]
  }
  throw new Refusal(status.UNAUTHENTICATED, 'The credential is not valid: enrol this computer again.')
}
