/**
 * The credential before the present one identifies a computer whose agent is refused. `unauthorized_at` is the only
 * definition of the state: the agent was refused after the computer was last seen. An agent with the present credential
 * therefore ends it, and a copy with an old credential does not begin it while the computer is online.
 */
export const ADD_UNAUTHORIZED = [
  `ALTER TABLE devices.computer
    ADD COLUMN revoked_credential_sha256 bytea,
    ADD COLUMN refused_at timestamptz`,
  `ALTER TABLE devices.computer ADD COLUMN unauthorized_at timestamptz GENERATED ALWAYS AS (
    CASE WHEN state = 'offline' AND refused_at > COALESCE(last_seen_at, '-infinity') THEN refused_at END) VIRTUAL`,
  'CREATE INDEX computer_revoked_credential ON devices.computer (revoked_credential_sha256) WHERE revoked_credential_sha256 IS NOT NULL',
]
