import { createCursors } from '@platen/runtime/event-log/follow.ts'

export const CREATE_USAGE = [
  // One row per accepted live job, with the id of its first event.
  `CREATE TABLE usage.ledger (
    event_id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    job_id uuid NOT NULL,
    job_created_at timestamptz NOT NULL
  )`,

  // The number of ledger rows, written by the same statement.
  `CREATE TABLE usage.period_count (
    organization_id uuid NOT NULL,
    period_start timestamptz NOT NULL,
    prints int NOT NULL,
    PRIMARY KEY (organization_id, period_start)
  ) WITH (fillfactor = 50)`,

  `CREATE TABLE usage.plan (
    organization_id uuid PRIMARY KEY,
    prints_limit bigint,
    computers_limit bigint,
    changed_at timestamptz NOT NULL
  )`,

  createCursors('usage'),
]
