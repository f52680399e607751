/** For searches by the beginning of a title. */
export const ADD_SEARCH = [
  'CREATE INDEX job_by_title ON jobs.job (organization_id, mode, lower(title) text_pattern_ops)',
]
