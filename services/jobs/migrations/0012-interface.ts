/** Null for the jobs of `/v1`. */
export const ADD_INTERFACE = ['ALTER TABLE jobs.job ADD COLUMN interface text']
