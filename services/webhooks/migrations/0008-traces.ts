export const ADD_TRACES = [
  // The W3C `traceparent` of the event's cause, from the event log. Null without a trace, which takes no space.
  `ALTER TABLE webhooks.event ADD COLUMN traceparent text`,
]
