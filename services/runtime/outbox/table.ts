/**
 * The transactional outbox: a row is added in the transaction of the change that it tells of, so that neither is there without
 * the other. It stays until every consumer that it waits for has confirmed it.
 */

/** Rows of one key go out in order; keys are spread over partitions with one owner each. */
export const PARTITIONS = 16

/** The statements of a migration that gives `schema` its outbox. */
export function createOutbox(schema: string): string[] {
  return [
    `CREATE TABLE ${schema}.outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id uuid NOT NULL UNIQUE,
      order_key uuid NOT NULL,
      partition smallint NOT NULL GENERATED ALWAYS AS (abs(hashtext(order_key::text) % ${PARTITIONS})) STORED,
      subject text NOT NULL,
      payload jsonb NOT NULL,
      traceparent text NOT NULL,
      awaiting text[] NOT NULL,
      publications int NOT NULL DEFAULT 0,
      published_at timestamptz
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
            autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000)`,
    `CREATE INDEX outbox_unpublished ON ${schema}.outbox (id) WHERE published_at IS NULL`,
    `CREATE INDEX outbox_unconfirmed ON ${schema}.outbox (published_at) WHERE published_at IS NOT NULL`,
  ]
}
