export const ADD_PAUSES = [
  // `gaps` are the times without deliveries: `gaps.ts`. An endpoint that was disabled by an earlier release has no
  // `disabled_at`.
  `ALTER TABLE webhooks.endpoint ADD COLUMN disabled_at timestamptz, ADD COLUMN gaps tstzmultirange NOT NULL DEFAULT '{}'`,
]
