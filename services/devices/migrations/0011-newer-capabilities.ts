/** Fields of capabilities that the release 0.1.0 cannot read: `stored-capabilities.ts`. */
export const ADD_NEWER_CAPABILITIES = [
  `ALTER TABLE devices.printer ADD COLUMN newer_capabilities jsonb NOT NULL DEFAULT '{}'`,
]
