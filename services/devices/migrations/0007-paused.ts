/** Jobs of a paused computer stay `queued`. A replica of an earlier release still sends them. */
export const ADD_PAUSED = ['ALTER TABLE devices.computer ADD COLUMN paused_at timestamptz']
