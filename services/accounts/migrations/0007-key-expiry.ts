/** Keys can expire. A sweep revokes the expired ones. */
export const ADD_KEY_EXPIRY = [
  'ALTER TABLE accounts.api_key ADD COLUMN expires_at timestamptz',
  'CREATE INDEX api_key_expiring ON accounts.api_key (expires_at) WHERE revoked_at IS NULL',
]
