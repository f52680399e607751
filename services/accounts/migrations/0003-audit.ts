import { continueByProcess, createCommitSeq } from '@platen/runtime/database/commit-seq.ts'

export const ADD_AUDIT = [
  ...createCommitSeq('accounts'),
  ...continueByProcess('accounts'),

  // The user who created it; null for an operator. Without a reference, because removed users leave their keys.
  'ALTER TABLE accounts.api_key ADD COLUMN created_by uuid',
  'ALTER TABLE accounts.user ADD COLUMN last_sign_in_at timestamptz',

  // An action of a user of several organizations, for example the end of a session, has a row in each.
  `CREATE TABLE accounts.audit (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'key')),
    actor_id uuid NOT NULL,
    actor_name text NOT NULL,
    action text NOT NULL,
    target uuid,
    mode text CHECK (mode IN ('live', 'test')),
    -- Written after the action.
    outcome text,
    request_id text NOT NULL,
    ip text NOT NULL,
    commit_seq bigint NOT NULL DEFAULT accounts.to_commit_seq(pg_current_xact_id()),
    PRIMARY KEY (id, organization_id)
  )`,
  'CREATE INDEX audit_page ON accounts.audit (organization_id, commit_seq, id)',
  'CREATE INDEX audit_age ON accounts.audit (at)',
]
