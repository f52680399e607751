/** Jobs that are done, by what confirmed their print. Those that an earlier release counted have none of the three. */
export const ADD_CONFIRMATIONS = [
  `ALTER TABLE usage.job_count ADD COLUMN by_printer bigint NOT NULL DEFAULT 0, ADD COLUMN by_spooler bigint NOT NULL DEFAULT 0,
    ADD COLUMN by_nobody bigint NOT NULL DEFAULT 0`,
]
