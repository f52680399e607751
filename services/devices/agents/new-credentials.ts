/**
 * Replaces old credentials of agents. Welcome offers a new one, which is valid beside the present one until the agent
 * has stored or used it. An agent that ignores or loses the offer keeps its credential and gets another offer with its
 * next Welcome. The agent confirms at once, so that a replica of an earlier release, which knows one credential of each
 * computer, seldom sees the new one before it is the present one.
 */
import type { Devices } from '../devices.ts'
import { ComputerEntity } from '../entities.ts'
import type { AgentIdentity } from './authenticate.ts'
import { hashCredential, makeCredential } from './credential.ts'

/** Test computers get a new credential at each lease. @returns empty if none is due. */
export async function offerCredential(devices: Devices, { computerId, issuedAt }: AgentIdentity): Promise<string> {
  const issuedUntil = new Date(devices.clock.now().getTime() - devices.credentialMs)
  if (issuedAt > issuedUntil) return ''
  const credential = makeCredential()
  const due = [
    { credentialIssuedAt: { $lte: issuedUntil } },
    { credentialIssuedAt: null, createdAt: { $lte: issuedUntil } },
  ]
  const where = { id: computerId, mode: 'live', deletedAt: null, $or: due }
  const change = { newCredentialSha256: hashCredential(credential) }
  const offered = await devices.orm.em.fork().nativeUpdate(ComputerEntity, where, change)
  return offered === 1 ? credential : ''
}

const ADOPT = `
UPDATE devices.computer
SET credential_sha256 = new_credential_sha256, new_credential_sha256 = NULL, credential_issued_at = $2,
  revoked_credential_sha256 = credential_sha256
WHERE new_credential_sha256 = $1`

/** Ends the previous credential of the computer that was offered this one. */
export async function adoptCredential({ pool, clock }: Devices, sha256: Buffer): Promise<void> {
  await pool.query(ADOPT, [sha256, clock.now()])
}

/**
 * The refusal of an agent with a revoked credential. A failure is only logged, because the agent is refused in any
 * case.
 */
export async function recordRefusal({ orm, clock, log }: Devices, computerId: string): Promise<void> {
  log.warn({ computer_id: computerId }, 'agent with a revoked credential refused')
  // The first refusal counts, so that the computer shows since when it is refused.
  await orm.em
    .fork()
    .nativeUpdate(ComputerEntity, { id: computerId, unauthorizedAt: null }, { refusedAt: clock.now() })
    .catch((error: unknown) => log.warn({ err: error, computer_id: computerId }, 'refusal of an agent not recorded'))
}
