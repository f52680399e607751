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

/** @throws Refusal UNAUTHENTICATED, the same for every bad credential. */
export async function authenticate(devices: Devices, metadata: Metadata): Promise<AgentIdentity> {
  const credential = credentialOf(metadata)
  if (credential) {
    const { rows } = await devices.pool.query<AgentIdentity>({
      name: 'authenticate agent',
      text: `SELECT id AS "computerId", organization_id AS "organizationId", mode FROM devices.computer WHERE credential_sha256 = $1`,
      values: [hashCredential(credential)],
    })
    if (rows[0]) return rows[0]
  }
  throw new Refusal(status.UNAUTHENTICATED, 'The credential is not valid: enrol this computer again.')
}
