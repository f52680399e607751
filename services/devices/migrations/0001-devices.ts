import { Migration } from '@mikro-orm/migrations'

export class CreateDevices extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE devices.computer (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      mode text NOT NULL CHECK (mode IN ('live', 'test')),
      name text NOT NULL,
      hostname text NOT NULL DEFAULT '',
      os text NOT NULL DEFAULT '',
      os_version text NOT NULL DEFAULT '',
      arch text NOT NULL DEFAULT '',
      agent_version text NOT NULL DEFAULT '',
      state text NOT NULL DEFAULT 'offline' CHECK (state IN ('online', 'offline')),
      credential_sha256 bytea NOT NULL UNIQUE,
      epoch bigint NOT NULL DEFAULT 0,
      disconnected_at timestamptz,
      last_seen_at timestamptz,
      created_at timestamptz NOT NULL
    )`)
    this.addSql(`CREATE INDEX computer_page ON devices.computer (organization_id, mode, id)`)
    this.addSql(`CREATE INDEX computer_online ON devices.computer (last_seen_at) WHERE state = 'online'`)
    // One virtual test computer for each organization, also when two make it at once.
    this.addSql(`CREATE UNIQUE INDEX computer_virtual ON devices.computer (organization_id) WHERE mode = 'test'`)
    this.addSql(`CREATE TABLE devices.printer (
      id uuid PRIMARY KEY,
      computer_id uuid NOT NULL REFERENCES devices.computer,
      organization_id uuid NOT NULL,
      mode text NOT NULL,
      os_name text NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      display_name text NOT NULL,
      remarks text,
      enabled boolean NOT NULL,
      is_default boolean NOT NULL,
      reported_state text NOT NULL CHECK (reported_state IN ('online', 'offline')),
      state_detail text NOT NULL,
      state_reasons text[] NOT NULL,
      capabilities jsonb NOT NULL,
      default_options jsonb NOT NULL,
      custom_papers jsonb NOT NULL,
      removed_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (computer_id, os_name)
    )`)
    this.addSql(`CREATE INDEX printer_page ON devices.printer (organization_id, mode, id) WHERE removed_at IS NULL`)
  }
}
