/** The outbox that schemas had before their event log, for the migrations that make and replace it. */

export function createOutbox(schema: string): string[] {
  return [
    `CREATE TABLE ${schema}.outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id uuid NOT NULL UNIQUE,
      order_key uuid NOT NULL,
      subject text NOT NULL,
      payload jsonb NOT NULL,
      traceparent text NOT NULL,
      awaiting text[] NOT NULL,
      publications int NOT NULL DEFAULT 0,
      published_at timestamptz
    )`,
  ]
}

/** Events that no consumer has confirmed would be lost; only the release with the outbox can deliver them. */
export function replaceOutbox(schema: string): string[] {
  const advice = `Run the previous release until ${schema}.outbox is empty, then upgrade again.`
  return [
    `DO $$ BEGIN
      IF EXISTS (SELECT FROM ${schema}.outbox WHERE awaiting && ARRAY['webhooks-jobs', 'webhooks-devices', 'usage-ledger']) THEN
        RAISE EXCEPTION 'Some events of ${schema} are not delivered yet. ${advice}';
      END IF;
    END $$`,
    `DROP TABLE ${schema}.outbox`,
  ]
}
