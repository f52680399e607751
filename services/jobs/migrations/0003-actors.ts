/** `key:<id>` or `user:<id>`. Null for jobs of earlier releases. Not indexed, so that changes stay HOT updates. */
export const ADD_ACTORS = ['ALTER TABLE jobs.job ADD COLUMN created_by text, ADD COLUMN cancelled_by text']
