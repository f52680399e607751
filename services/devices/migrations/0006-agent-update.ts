/** How the agent updates itself, as the API shows it. Null: it does not. */
export const ADD_AGENT_UPDATE = [`ALTER TABLE devices.computer ADD COLUMN agent_update jsonb`]
