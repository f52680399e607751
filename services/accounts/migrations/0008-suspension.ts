/** Requests of suspended organizations are refused, and their agents and webhooks wait. */
export const ADD_SUSPENSION = [
  'ALTER TABLE accounts.organization ADD COLUMN suspended_at timestamptz',
  'CREATE INDEX organization_suspended ON accounts.organization (id) WHERE suspended_at IS NOT NULL',
]
