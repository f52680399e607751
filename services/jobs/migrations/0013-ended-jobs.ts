/**
 * Lists read ended jobs by an index of each filter, whose entries are written once, at the end of a job, and all
 * unfinished jobs of an organization by one index. Before, each creation also wrote the indexes of the ended jobs.
 * Release 0.1.0 sorts its lists after a rollback.
 */
export const ADD_ENDED_JOBS = [
  // First: see 0005.
  `DROP INDEX jobs.job_page_state, jobs.job_page_printer_state, jobs.job_page_computer_state, jobs.job_page_source_state,
    jobs.job_by_title`,
  'CREATE INDEX job_unfinished ON jobs.job (organization_id, mode, commit_seq, id) WHERE final_state IS NULL',
  `CREATE INDEX job_ended ON jobs.job (organization_id, mode, final_state, commit_seq, id) WHERE final_state IS NOT NULL`,
  `CREATE INDEX job_ended_of_printer ON jobs.job (printer_id, final_state, commit_seq, id) WHERE final_state IS NOT NULL`,
  `CREATE INDEX job_ended_of_computer ON jobs.job (computer_id, final_state, commit_seq, id) WHERE final_state IS NOT NULL`,
  `CREATE INDEX job_ended_of_source ON jobs.job (organization_id, mode, source, final_state, commit_seq, id)
    WHERE final_state IS NOT NULL`,
  `CREATE INDEX job_ended_by_title ON jobs.job (organization_id, mode, lower(title) text_pattern_ops) WHERE final_state IS NOT NULL`,
]
