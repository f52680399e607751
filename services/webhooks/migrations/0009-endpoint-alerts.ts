export const ADD_ENDPOINT_ALERTS = [
  // Members who have had rules get no default rules. Those who may not read webhook endpoints get no mails of these.
  `INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
  SELECT uuidv7(), organization_id, mode, user_id, kind, minutes, now() FROM webhooks.alert_member
  CROSS JOIN (VALUES ('live'), ('test')) AS modes (mode)
  CROSS JOIN (VALUES ('endpoint_failing', 60), ('endpoint_disabled', 0)) AS kinds (kind, minutes)
  ON CONFLICT DO NOTHING`,
]
