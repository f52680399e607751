import { createCommitSeq } from '@platen/runtime/database/commit-seq.ts'
import { createEventLog } from '@platen/runtime/event-log/table.ts'

export const CREATE_DEVICES = [
  ...createCommitSeq('devices'),

  // `run_id` and `stream_number` are those of the agent's newest hello. `sequence` counts the events. The row of a
  // deleted computer stays for the error of its agent. `jobs_ended_at` and `lost_reported_at` are the times at which
  // the jobs service confirmed the deletion and the loss of the agent.
  `CREATE TABLE devices.computer (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL CHECK (mode IN ('live', 'test')),
    name text NOT NULL,
    hostname text NOT NULL DEFAULT '',
    os text NOT NULL DEFAULT '',
    os_version text NOT NULL DEFAULT '',
    arch text NOT NULL DEFAULT '',
    agent_version text NOT NULL DEFAULT '',
    credential_sha256 bytea NOT NULL UNIQUE,
    state text NOT NULL DEFAULT 'offline' CHECK (state IN ('online', 'offline')),
    sequence int NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0,
    run_id text NOT NULL DEFAULT '',
    stream_number bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz,
    disconnected_at timestamptz,
    lost_at timestamptz,
    lost_reported_at timestamptz,
    deleted_at timestamptz,
    jobs_ended_at timestamptz,
    commit_seq bigint NOT NULL DEFAULT devices.to_commit_seq(pg_current_xact_id())
  )`,
  `CREATE INDEX computer_page ON devices.computer (organization_id, mode, commit_seq, id)`,
  // One virtual test computer for each organization, also when two requests create it concurrently.
  `CREATE UNIQUE INDEX computer_virtual ON devices.computer (organization_id) WHERE mode = 'test'`,
  // The test computers that the process with the lease polls for; empty while all are online.
  `CREATE INDEX computer_virtual_offline ON devices.computer (organization_id)
    WHERE mode = 'test' AND state = 'offline'`,
  // One index for each sweep.
  `CREATE INDEX computer_online ON devices.computer (last_seen_at) WHERE state = 'online'`,
  `CREATE INDEX computer_away ON devices.computer (last_seen_at)
    WHERE state = 'offline' AND lost_at IS NULL AND deleted_at IS NULL`,
  `CREATE INDEX computer_lost_to_report ON devices.computer (lost_at)
    WHERE lost_at IS NOT NULL AND lost_reported_at IS NULL`,
  `CREATE INDEX computer_jobs_to_end ON devices.computer (deleted_at)
    WHERE deleted_at IS NOT NULL AND jobs_ended_at IS NULL`,

  // `known_state` is the state of the last event. `state_differs_since` is set while another state is reported and the
  // computer is online.
  `CREATE TABLE devices.printer (
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
    known_state text NOT NULL DEFAULT 'online' CHECK (known_state IN ('online', 'offline')),
    state_differs_since timestamptz,
    sequence int NOT NULL DEFAULT 0,
    capabilities jsonb NOT NULL,
    default_options jsonb NOT NULL,
    custom_papers jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    removed_at timestamptz,
    commit_seq bigint NOT NULL DEFAULT devices.to_commit_seq(pg_current_xact_id()),
    UNIQUE (computer_id, os_name)
  )`,
  `CREATE INDEX printer_page ON devices.printer (organization_id, mode, commit_seq, id) WHERE removed_at IS NULL`,
  `CREATE INDEX printer_state_differs ON devices.printer (state_differs_since)
    WHERE state_differs_since IS NOT NULL`,

  `CREATE TABLE devices.enrollment (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    token_sha256 bytea NOT NULL UNIQUE,
    max_uses int NOT NULL,
    uses int NOT NULL DEFAULT 0 CHECK (uses <= max_uses),
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    commit_seq bigint NOT NULL DEFAULT devices.to_commit_seq(pg_current_xact_id())
  )`,
  `CREATE INDEX enrollment_page ON devices.enrollment (organization_id, commit_seq, id)`,

  // The process that runs the virtual test computers. One row at most.
  `CREATE TABLE devices.test_computers_lease (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    holder_id uuid NOT NULL,
    expires_at timestamptz NOT NULL
  )`,

  ...createEventLog('devices', ['computer', 'printer']),
]
