/** The creator of the job, for statistics. Only events of creations and ends have it. */
export const ADD_CREATORS = ['ALTER TABLE jobs.event_log ADD COLUMN created_by text']
