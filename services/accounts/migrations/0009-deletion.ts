/** The row of a deleted organization stays, as the receipt of its deletion. */
export const ADD_DELETION = [
  `ALTER TABLE accounts.organization
    ADD COLUMN deleted_at timestamptz,
    -- Rows by service and table.
    ADD COLUMN removed jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN removed_at timestamptz`,
]
