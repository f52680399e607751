/** Whether jobs without `retain` are created with `retain` false. */
export const ADD_RETENTION = [
  'ALTER TABLE accounts.organization ADD COLUMN discards_documents boolean NOT NULL DEFAULT false',
]
