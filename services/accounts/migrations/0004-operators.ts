/** Commands of operators are in the audit log, too. They have no id, no request and no address. */
export const ADD_OPERATORS = [
  'ALTER TABLE accounts.audit ALTER COLUMN actor_id DROP NOT NULL',
  'ALTER TABLE accounts.audit DROP CONSTRAINT audit_actor_kind_check',
  `ALTER TABLE accounts.audit ADD CONSTRAINT audit_actor_kind_check CHECK (
    actor_kind IN ('user', 'key', 'operator') AND (actor_id IS NULL) = (actor_kind = 'operator')
  )`,
]
