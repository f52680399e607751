/**
 * Lists by printer, computer or source have the final state in their index, so that a list with a state as well reads
 * little more than its page. Lists without a state merge the entries of all states. Release 0.1.0 sorts these lists
 * after a rollback.
 */
export const ADD_LIST_INDEXES = [
  // First, because its lock is stronger: raising a lock while jobs are created is a deadlock.
  'DROP INDEX jobs.job_page_printer, jobs.job_page_computer, jobs.job_page_source',
  'CREATE INDEX job_page_printer_state ON jobs.job (printer_id, final_state, commit_seq, id)',
  'CREATE INDEX job_page_computer_state ON jobs.job (computer_id, final_state, commit_seq, id)',
  'CREATE INDEX job_page_source_state ON jobs.job (organization_id, mode, source, final_state, commit_seq, id)',
]
