export const ADD_REFUSALS = [
  `CREATE TABLE accounts.refusal (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    api_key_id uuid NOT NULL,
    at timestamptz NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    status int NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    request_id text NOT NULL,
    commit_seq bigint NOT NULL DEFAULT accounts.to_commit_seq(pg_current_xact_id())
  )`,
  'CREATE INDEX refusal_page ON accounts.refusal (organization_id, mode, commit_seq, id)',
  'CREATE INDEX refusal_age ON accounts.refusal (at)',
]
