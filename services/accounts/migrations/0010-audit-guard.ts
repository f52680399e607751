/**
 * The audit log is append-only: an update can only add the outcome of an action, and only the sweep of old entries
 * deletes, which names its time in `platen.audit_sweep`. This stops defects and injected statements, not who can drop
 * the trigger, as the owner of the schema can.
 */
export const GUARD_AUDIT = [
  `CREATE FUNCTION accounts.guard_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND OLD.outcome IS NULL AND NEW.outcome IS NOT NULL
      AND to_jsonb(NEW) - '{outcome,target,target_name}'::text[] = to_jsonb(OLD) - '{outcome,target,target_name}'::text[]
    THEN RETURN NEW; END IF;
    IF TG_OP = 'DELETE' AND OLD.at <= NULLIF(current_setting('platen.audit_sweep', true), '')::timestamptz THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'entries of the audit log cannot be changed';
  END $$`,
  `CREATE TRIGGER audit_guard BEFORE UPDATE OR DELETE ON accounts.audit FOR EACH ROW EXECUTE FUNCTION accounts.guard_audit()`,
  `CREATE TRIGGER audit_guard_all BEFORE TRUNCATE ON accounts.audit EXECUTE FUNCTION accounts.guard_audit()`,

  // Computers are enrolled by a token. Each earlier row has one of the earlier kinds.
  'ALTER TABLE accounts.audit DROP CONSTRAINT audit_actor_kind_check',
  `ALTER TABLE accounts.audit ADD CONSTRAINT audit_actor_kind_check CHECK (
    actor_kind IN ('user', 'key', 'operator', 'token') AND (actor_id IS NULL) = (actor_kind = 'operator')
  ) NOT VALID`,
]
