/**
 * A job that waits for a printer of a destination has `waiting_destination_id` until one takes it, and again if it
 * returns. It is null for all other jobs, whose changes stay HOT updates. `job_active` has no such job, because its
 * printer and computer are only planned. Release 0.1.0 finds the jobs of a computer by `job_unfinished` after a
 * rollback, and sends waiting ones to the planned printer.
 *
 * The fence of a destination has the lowest revision by which printers may claim.
 */
export const ADD_DESTINATIONS = [
  // First: see 0005.
  'DROP INDEX jobs.job_active',
  `ALTER TABLE jobs.job ADD COLUMN destination_id uuid, ADD COLUMN waiting_destination_id uuid, ADD COLUMN requested_options jsonb,
    ADD COLUMN passed_printers jsonb`,
  `CREATE INDEX job_active ON jobs.job (computer_id, accepted_order) WHERE final_state IS NULL AND waiting_destination_id IS NULL`,
  'CREATE INDEX job_waiting ON jobs.job (waiting_destination_id, accepted_order) WHERE waiting_destination_id IS NOT NULL',
  // The jobs that printers have taken from destinations.
  `CREATE INDEX job_taken ON jobs.job (printer_id)
    WHERE destination_id IS NOT NULL AND waiting_destination_id IS NULL AND final_state IS NULL`,
  'CREATE INDEX job_of_destination ON jobs.job (destination_id, commit_seq, id) WHERE destination_id IS NOT NULL',
  `CREATE TABLE jobs.destination_fence (
    destination_id uuid PRIMARY KEY,
    revision bigint NOT NULL,
    deleted boolean NOT NULL DEFAULT false
  )`,
  // For the sweep that ends the waiting jobs of deleted destinations.
  'CREATE INDEX destination_deleted ON jobs.destination_fence (destination_id) WHERE deleted',
]
