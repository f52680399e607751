import { continueByProcess } from '@platen/runtime/database/commit-seq.ts'

export const ADD_STORED_BYTES = [
  ...continueByProcess('jobs'),
  // For the quota of stored bytes. Only jobs with a document in the store are in it, and reprints share one.
  `CREATE INDEX job_stored ON jobs.job (organization_id, created_at) INCLUDE (file_size_bytes)
    WHERE storage_key IS NOT NULL AND reprint_of IS NULL`,
]
