export const ADD_FETCH_INDEXES = [
  // The next fetches of each organization, the leased ones, and the oldest.
  'CREATE INDEX document_fetch_next ON jobs.document_fetch (organization_id, created_at, job_id)',
  'CREATE INDEX document_fetch_leased ON jobs.document_fetch (leased_until) WHERE leased_until IS NOT NULL',
  'CREATE INDEX document_fetch_age ON jobs.document_fetch (created_at)',
]
