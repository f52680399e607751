/**
 * The SHA-256 of the token and the key of the request that enrolled a computer, and the time of the first request with
 * both.
 */
export const ADD_ENROLLMENT_KEY = [
  `ALTER TABLE devices.computer
    ADD COLUMN enrollment_key_sha256 bytea,
    ADD COLUMN enrolled_at timestamptz`,
]
