/** The index has the ended jobs whose document `timers/sweep-discarded.ts` deletes, so it is nearly empty. */
export const ADD_RETENTION = [
  'ALTER TABLE jobs.job ADD COLUMN retain boolean NOT NULL DEFAULT true',
  `CREATE INDEX job_discarded ON jobs.job (id)
    WHERE NOT retain AND final_state IS NOT NULL AND (storage_key IS NOT NULL OR has_inline_document)`,
]
