/** What agents have sent on request, at most a few of each computer. */
export const ADD_DIAGNOSTICS = [
  `CREATE TABLE devices.diagnostics (
    id uuid PRIMARY KEY,
    computer_id uuid NOT NULL REFERENCES devices.computer ON DELETE CASCADE,
    text text NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX diagnostics_computer ON devices.diagnostics (computer_id, created_at)',
]
