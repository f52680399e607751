import { continueByProcess } from '@platen/runtime/database/commit-seq.ts'
import type { Migration } from '@platen/runtime/database/migrate.ts'
import { createLogCursor } from '@platen/runtime/event-log/follow.ts'

const CREATE_TABLES = [
  ...continueByProcess('devices'),
  // The cursor of the publisher begins with the events of this release.
  ...createLogCursor('devices'),

  `CREATE TABLE devices.last_number (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    resource text NOT NULL,
    last int NOT NULL,
    PRIMARY KEY (organization_id, mode, resource)
  )`,

  // `revision` grows with each change, and jobs refuse claims by an earlier one. A deleted destination stays until jobs
  // have ended what waited for it.
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
  `CREATE INDEX destination_page ON devices.destination (organization_id, mode, commit_seq, id)
    WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX destination_by_name ON devices.destination (organization_id, mode, name)
    WHERE deleted_at IS NULL`,
  // The destinations of a printer.
  'CREATE INDEX destination_printers ON devices.destination USING gin (printer_ids) WHERE deleted_at IS NULL',
  // The sweep finds the destinations whose waiting jobs have not ended.
  'CREATE INDEX destination_deleted ON devices.destination (deleted_at) WHERE deleted_at IS NOT NULL',
]

/** The rows that an INSERT can conflict with. Destinations have no such INSERT. */
const EXISTING = {
  computer: `SELECT number FROM devices.computer
        WHERE mode = 'test' AND NEW.mode = 'test' AND organization_id = NEW.organization_id`,
  printer: 'SELECT number FROM devices.printer WHERE computer_id = NEW.computer_id AND os_name = NEW.os_name',
  destination: 'NULL::int',
}

/**
 * Numbers for people, counted per organization and mode. The database assigns them, so computers and printers that
 * release 0.1.0 adds have one, too. All are added rarely, so the lock on their counter costs nothing. A row that exists
 * keeps its number, also if an `ON CONFLICT` updates it.
 */
const assignNumbers = (table: keyof typeof EXISTING) => [
  `CREATE UNIQUE INDEX ${table}_by_number ON devices.${table} (organization_id, mode, number)`,
  `CREATE FUNCTION devices.number_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.number := (${EXISTING[table]});
      IF NEW.number IS NULL THEN
        INSERT INTO devices.last_number AS counter VALUES (NEW.organization_id, NEW.mode, '${table}', 1)
        ON CONFLICT (organization_id, mode, resource) DO UPDATE SET last = counter.last + 1
        RETURNING last INTO NEW.number;
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER number BEFORE INSERT ON devices.${table} FOR EACH ROW EXECUTE FUNCTION devices.number_${table}()`,
]

const numberExisting = (table: 'computer' | 'printer') => [
  `UPDATE devices.${table} SET number = numbered.number
    FROM (SELECT id, row_number() OVER (PARTITION BY organization_id, mode ORDER BY created_at, id) AS number
      FROM devices.${table}) AS numbered
    WHERE ${table}.id = numbered.id`,
  `INSERT INTO devices.last_number
    SELECT organization_id, mode, '${table}', max(number) FROM devices.${table} GROUP BY organization_id, mode`,
  `ALTER TABLE devices.${table} ALTER COLUMN number SET NOT NULL`,
]

/**
 * A new credential is valid beside the present one until it is used. Without a time, the present one is as old as its
 * computer. The credential before the present one identifies a computer whose agent is refused. `unauthorized_at` is
 * the only definition of that state: the agent was refused after the computer was last seen. An agent with the present
 * credential therefore ends it, and a copy with an old credential does not begin it while the computer is online.
 *
 * `enrollment_key_sha256` is of the token and the key of the request that enrolled the computer, and `enrolled_at` the
 * time of the first request with both. Jobs of a paused computer stay `queued`; a replica of release 0.1.0 still sends
 * them. `agent_update` (how the agent updates itself) and `spooler_problem` (why it cannot list the printers of the
 * operating system) are as the API shows them; null: it does not update itself; it can, or does not report it.
 */
const CHANGE_COMPUTERS = [
  `ALTER TABLE devices.computer
    ADD COLUMN number int,
    ADD COLUMN new_credential_sha256 bytea UNIQUE,
    ADD COLUMN credential_issued_at timestamptz,
    ADD COLUMN revoked_credential_sha256 bytea,
    ADD COLUMN refused_at timestamptz,
    ADD COLUMN enrollment_key_sha256 bytea,
    ADD COLUMN enrolled_at timestamptz,
    ADD COLUMN paused_at timestamptz,
    ADD COLUMN agent_update jsonb,
    ADD COLUMN spooler_problem jsonb`,
  `ALTER TABLE devices.computer ADD COLUMN unauthorized_at timestamptz GENERATED ALWAYS AS (
    CASE WHEN state = 'offline' AND refused_at > COALESCE(last_seen_at, '-infinity') THEN refused_at END) VIRTUAL`,
  `CREATE INDEX computer_revoked_credential ON devices.computer (revoked_credential_sha256)
    WHERE revoked_credential_sha256 IS NOT NULL`,
  ...numberExisting('computer'),
  ...assignNumbers('computer'),

  // What agents have sent on request, at most a few of each computer.
  `CREATE TABLE devices.diagnostics (
    id uuid PRIMARY KEY,
    computer_id uuid NOT NULL REFERENCES devices.computer ON DELETE CASCADE,
    text text NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX diagnostics_computer ON devices.diagnostics (computer_id, created_at)',
]

/**
 * `newer_capabilities` are the fields of capabilities that release 0.1.0 cannot read: `stored-capabilities.ts`.
 * `default_expire_after` is in seconds; null: as for every printer. `stopped_since` is the time since which a printer
 * is disabled, offline or stopped by its state. It is null also for printers that a replica of release 0.1.0 has
 * stored, whose `updated_at` then stands for it.
 */
const CHANGE_PRINTERS = [
  `ALTER TABLE devices.printer
    ADD COLUMN number int,
    ADD COLUMN newer_capabilities jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN stopped_since timestamptz,
    ADD COLUMN default_expire_after int,
    ADD COLUMN shared boolean NOT NULL DEFAULT false`,
  ...numberExisting('printer'),
  ...assignNumbers('printer'),
]

export const RELEASE_0_2: Migration[] = [
  { name: '0002-tables', statements: [...CREATE_TABLES, ...assignNumbers('destination')] },
  { name: '0003-computers', statements: CHANGE_COMPUTERS },
  { name: '0004-printers', statements: CHANGE_PRINTERS },
]
