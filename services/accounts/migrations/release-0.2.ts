import { continueByProcess, createCommitSeq } from '@platen/runtime/database/commit-seq.ts'
import type { Migration } from '@platen/runtime/database/migrate.ts'

const CREATE_SIGN_IN = [
  // A browser that has signed in as this user. It has limits of its own, so that strangers cannot use them up.
  `CREATE TABLE accounts.known_browser (
    token_sha256 bytea NOT NULL,
    user_id uuid NOT NULL REFERENCES accounts.user,
    last_used_at timestamptz NOT NULL,
    PRIMARY KEY (token_sha256, user_id)
  )`,
  'CREATE INDEX known_browser_of_user ON accounts.known_browser (user_id)',

  `CREATE TABLE accounts.session (
    id uuid PRIMARY KEY,
    token_sha256 bytea NOT NULL UNIQUE,
    user_id uuid NOT NULL REFERENCES accounts.user,
    known_browser_sha256 bytea NOT NULL,
    browser text NOT NULL,
    ip text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL
  )`,
  'CREATE INDEX session_of_user ON accounts.session (user_id)',

  // A requested code, also for an address without a user. An operator's code has no challenge and no mail.
  `CREATE TABLE accounts.sign_in (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    challenge_sha256 bytea UNIQUE,
    code_hmac bytea NOT NULL,
    -- The address, or the known browser: whose limits apply.
    limited_by text,
    wrong_codes int NOT NULL DEFAULT 0,
    browser text NOT NULL,
    ip text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Until the mail was sent.
    encrypted_code bytea,
    mail_due_at timestamptz
  )`,
  'CREATE INDEX sign_in_mail_due ON accounts.sign_in (mail_due_at) WHERE encrypted_code IS NOT NULL',
  'CREATE INDEX sign_in_by_operator ON accounts.sign_in (code_hmac) WHERE challenge_sha256 IS NULL',

  // How often a limited thing happened in an hour or a day, which begins at period_start.
  `CREATE TABLE accounts.sign_in_count (
    kind text NOT NULL,
    subject text NOT NULL,
    period_start timestamptz NOT NULL,
    n int NOT NULL,
    PRIMARY KEY (kind, subject, period_start)
  )`,
]

const CREATE_INVITATIONS = [
  // An invitation is of an address, which can have no user.
  `CREATE TABLE accounts.invitation (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES accounts.organization,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    -- The address of a user.
    invited_by text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Until the mail was sent.
    mail_due_at timestamptz,
    UNIQUE (organization_id, email)
  )`,
  'CREATE INDEX invitation_of_email ON accounts.invitation (email)',
  'CREATE INDEX invitation_mail_due ON accounts.invitation (mail_due_at)',
]

/**
 * Lists of the audit log by an actor, an action or both read no other entries.
 *
 * The log is append-only: an update can only add the outcome of an action, and only the sweep of old entries deletes,
 * which names its time in `platen.audit_sweep`. This stops defects and injected statements, not who can drop the
 * trigger, as the owner of the schema can.
 */
const CREATE_LOGS = [
  ...createCommitSeq('accounts'),
  ...continueByProcess('accounts'),

  // A log is that of an organization or of a user. An action of a user of several organizations, for example the end of
  // a session, has a row in each. Operators have no id, no request and no address.
  `CREATE TABLE accounts.audit (
    log_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    action text NOT NULL,
    target uuid,
    target_name text,
    mode text CHECK (mode IN ('live', 'test')),
    -- Written after the action.
    outcome text,
    request_id text NOT NULL,
    ip text NOT NULL,
    commit_seq bigint NOT NULL DEFAULT accounts.to_commit_seq(pg_current_xact_id()),
    PRIMARY KEY (id, log_id),
    CONSTRAINT audit_actor_kind_check CHECK (
      actor_kind IN ('user', 'key', 'operator', 'token') AND (actor_id IS NULL) = (actor_kind = 'operator')
    )
  )`,
  'CREATE INDEX audit_page ON accounts.audit (log_id, commit_seq, id)',
  'CREATE INDEX audit_page_action ON accounts.audit (log_id, action, commit_seq, id)',
  'CREATE INDEX audit_page_actor ON accounts.audit (log_id, actor_id, commit_seq, id)',
  'CREATE INDEX audit_page_both ON accounts.audit (log_id, actor_id, action, commit_seq, id)',
  'CREATE INDEX audit_age ON accounts.audit (at)',
  `CREATE FUNCTION accounts.guard_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND OLD.outcome IS NULL AND NEW.outcome IS NOT NULL
      AND to_jsonb(NEW) - '{outcome,target,target_name}'::text[]
        = to_jsonb(OLD) - '{outcome,target,target_name}'::text[]
    THEN RETURN NEW; END IF;
    IF TG_OP = 'DELETE' AND OLD.at <= NULLIF(current_setting('platen.audit_sweep', true), '')::timestamptz THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'entries of the audit log cannot be changed';
  END $$`,
  `CREATE TRIGGER audit_guard BEFORE UPDATE OR DELETE ON accounts.audit
    FOR EACH ROW EXECUTE FUNCTION accounts.guard_audit()`,
  'CREATE TRIGGER audit_guard_all BEFORE TRUNCATE ON accounts.audit EXECUTE FUNCTION accounts.guard_audit()',

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

/**
 * Requests of suspended organizations are refused, and their agents and webhooks wait. The row of a deleted one stays,
 * as the receipt of its deletion. `discards_documents`: jobs without `retain` are created with `retain` false.
 */
const CHANGE_ORGANIZATIONS = [
  `ALTER TABLE accounts.organization
    ADD COLUMN suspended_at timestamptz,
    ADD COLUMN deleted_at timestamptz,
    -- Rows by service and table.
    ADD COLUMN removed jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN removed_at timestamptz,
    ADD COLUMN discards_documents boolean NOT NULL DEFAULT false,
    ADD COLUMN allows_print_access boolean NOT NULL DEFAULT false`,
  'CREATE INDEX organization_suspended ON accounts.organization (id) WHERE suspended_at IS NOT NULL',
]

const CHANGE_USERS = [
  'ALTER TABLE accounts.user ADD COLUMN last_sign_in_at timestamptz',
  // Sessions of earlier sign-ins are not accepted for the organization.
  'ALTER TABLE accounts.membership ADD COLUMN sign_in_after timestamptz',
]

/**
 * `created_by` is the user who created the key, and null for an operator. It has no reference, because removed users
 * leave their keys. A sweep revokes expired keys. Print accesses are keys of another kind: release 0.1.0 lists them as
 * keys without scopes, and its gateways refuse their secrets.
 */
const CHANGE_KEYS = [
  `ALTER TABLE accounts.api_key
    ADD COLUMN created_by uuid,
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN kind text NOT NULL DEFAULT '',
    ADD COLUMN printer_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN user_id uuid`,
  'CREATE INDEX api_key_expiring ON accounts.api_key (expires_at) WHERE revoked_at IS NULL',
]

export const RELEASE_0_2: Migration[] = [
  { name: '0002-tables', statements: [...CREATE_SIGN_IN, ...CREATE_INVITATIONS, ...CREATE_LOGS] },
  { name: '0003-organizations', statements: CHANGE_ORGANIZATIONS },
  { name: '0004-users', statements: CHANGE_USERS },
  { name: '0005-keys', statements: CHANGE_KEYS },
]
