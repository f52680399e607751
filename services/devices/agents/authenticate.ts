import { type Metadata, status } from '@grpc/grpc-js'
import type { Devices } from '../devices.ts'
import { hashCredential, parseCredential } from './credential.ts'

export interface AgentIdentity {
  computerId: string
  organizationId: string
  mode: string
}

/** The status of a refused call. grpc-js expects it as the 'error' event of the call. */
export class Refusal extends Error {
  readonly code: status
  readonly details: string

  constructor(code: status, details: string) {
    super(details)
    this.code = code
    this.details = details
  }
}

/** The credential belongs to a deleted computer. */
export class DeletedComputer extends Refusal {
  constructor() {
    super(status.UNAUTHENTICATED, 'This computer was deleted. Enrol it again to print here.')
  }
}

/** @throws DeletedComputer; Refusal UNAUTHENTICATED, with the same text for every other invalid credential. */
export async function authenticate(devices: Devices, metadata: Metadata): Promise<AgentIdentity> {
  const credential = parseCredential(metadata)
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
  throw new Refusal(status.UNAUTHENTICATED, 'The credential is not valid. Enrol this computer again.')
}
