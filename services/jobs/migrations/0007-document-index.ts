/** For the budget of stored bytes, of documents in the store and in the database. Release 0.1.0 has no such budget. */
export const ADD_DOCUMENT_INDEX = [
  // First: see 0005.
  'DROP INDEX jobs.job_stored',
  `CREATE INDEX job_document ON jobs.job (organization_id, created_at) INCLUDE (file_size_bytes)
    WHERE storage_key IS NOT NULL AND reprint_of IS NULL OR has_inline_document`,
]
