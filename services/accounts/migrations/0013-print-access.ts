/**
 * Print accesses are keys of another kind. Release 0.1.0 lists them as keys without scopes, and its gateways refuse
 * their secrets.
 */
export const ADD_PRINT_ACCESS = [
  'ALTER TABLE accounts.organization ADD COLUMN allows_print_access boolean NOT NULL DEFAULT false',
  `ALTER TABLE accounts.api_key ADD COLUMN kind text NOT NULL DEFAULT '', ADD COLUMN printer_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN user_id uuid`,
]
