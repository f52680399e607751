export const ADD_LAST_FAILURE = [
  // The outcome of the last attempt, as the organization sees it. Null after a success.
  `ALTER TABLE webhooks.endpoint ADD COLUMN last_status_code int, ADD COLUMN last_error text`,
]
