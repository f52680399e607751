export const ADD_THROTTLING = [
  // The rate of an endpoint that throttles: `delivery/throttle.ts`. Without an interval its rate is not limited.
  `ALTER TABLE webhooks.endpoint ADD COLUMN send_interval_ms float8, ADD COLUMN send_after timestamptz, ADD COLUMN throttled_at timestamptz`,
  // `throttled_since` is the first throttled attempt since the last other one. `scheduled_at` is the next attempt by
  // the schedule of a delivery that is attempted before.
  `ALTER TABLE webhooks.delivery ADD COLUMN throttled_since timestamptz, ADD COLUMN scheduled_at timestamptz`,
]
