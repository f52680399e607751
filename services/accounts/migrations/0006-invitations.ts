/** SQL: the name of a target that belongs to an organization, the log. */
const TARGET_NAME = `COALESCE(
  (SELECT name FROM accounts.api_key WHERE id = target AND organization_id = log_id),
  (SELECT email FROM accounts.user JOIN accounts.membership ON user_id = id WHERE user_id = target AND organization_id = log_id)
)`

export const ADD_INVITATIONS = [
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

  // Sessions of earlier sign-ins are not accepted for the organization.
  'ALTER TABLE accounts.membership ADD COLUMN sign_in_after timestamptz',

  // A log is that of an organization or of a user.
  'ALTER TABLE accounts.audit RENAME COLUMN organization_id TO log_id',
  'ALTER TABLE accounts.audit ADD COLUMN target_name text',
  `UPDATE accounts.audit SET target_name = ${TARGET_NAME} WHERE target IS NOT NULL`,
]
