/**
 * A new credential is valid beside the present one until it is used. Without a time, the present one is as old as its
 * computer.
 */
export const ADD_NEW_CREDENTIALS = [
  `ALTER TABLE devices.computer
    ADD COLUMN new_credential_sha256 bytea UNIQUE,
    ADD COLUMN credential_issued_at timestamptz`,
]
