export const CREATE_ACCOUNTS = [
  `CREATE TABLE accounts.organization (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    created_at timestamptz NOT NULL
  )`,

  `CREATE TABLE accounts.api_key (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES accounts.organization,
    name text NOT NULL,
    key_sha256 bytea NOT NULL UNIQUE,
    prefix text NOT NULL,
    last_four text,
    mode text NOT NULL CHECK (mode IN ('live', 'test')),
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  // In the order of `listApiKeys`.
  'CREATE INDEX api_key_listed ON accounts.api_key (organization_id, (revoked_at IS NOT NULL), id DESC)',

  // Addresses are stored in lower case, so that each has one user.
  `CREATE TABLE accounts.user (
    id uuid PRIMARY KEY,
    email text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
  )`,

  `CREATE TABLE accounts.membership (
    organization_id uuid NOT NULL REFERENCES accounts.organization,
    user_id uuid NOT NULL REFERENCES accounts.user,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, user_id)
  )`,
  'CREATE INDEX membership_of_user ON accounts.membership (user_id)',
]
