export const ADD_SESSIONS = [
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
