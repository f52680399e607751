/**
 * Destinations, numbered as printers are. `revision` grows with each change, and jobs refuse claims by an earlier one.
 * A deleted destination stays until jobs have ended what waited for it.
 *
 * `printer.stopped_since` is the time since which a printer is disabled, offline or stopped by its state. It is null
 * also for printers that a replica of an earlier release has stored, whose `updated_at` then stands for it.
 */
export const ADD_DESTINATIONS = [
  'ALTER TABLE devices.printer ADD COLUMN stopped_since timestamptz',
  `CREATE TABLE devices.destination (
    id uuid PRIMARY KEY,
    number int NOT NULL,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    name text NOT NULL,
    printer_ids uuid[] NOT NULL,
    policy text NOT NULL CHECK (policy IN ('first', 'any')),
    standby_after int NOT NULL,
    enabled boolean NOT NULL,
    expire_after int,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    commit_seq bigint NOT NULL DEFAULT devices.to_commit_seq(pg_current_xact_id())
  )`,
  'CREATE INDEX destination_page ON devices.destination (organization_id, mode, commit_seq, id) WHERE deleted_at IS NULL',
  'CREATE UNIQUE INDEX destination_by_name ON devices.destination (organization_id, mode, name) WHERE deleted_at IS NULL',
  'CREATE UNIQUE INDEX destination_by_number ON devices.destination (organization_id, mode, number)',
  // The destinations of a printer.
  'CREATE INDEX destination_printers ON devices.destination USING gin (printer_ids) WHERE deleted_at IS NULL',
  // The sweep finds the destinations whose waiting jobs have not ended.
  'CREATE INDEX destination_deleted ON devices.destination (deleted_at) WHERE deleted_at IS NOT NULL',
  `CREATE FUNCTION devices.number_destination() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO devices.last_number AS counter VALUES (NEW.organization_id, NEW.mode, 'destination', 1)
      ON CONFLICT (organization_id, mode, resource) DO UPDATE SET last = counter.last + 1
      RETURNING last INTO NEW.number;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER number BEFORE INSERT ON devices.destination FOR EACH ROW EXECUTE FUNCTION devices.number_destination()`,
]
