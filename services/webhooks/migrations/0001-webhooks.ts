import { Migration } from '@mikro-orm/migrations'
import { addPlaces, createPlaces } from '@platen/runtime/database/commit-order.ts'

/**
 * Events, deliveries and attempts are kept by the day, in partitions that are dropped whole: their ids are UUIDv7, whose order is that of
 * time. A row whose id is of no day that has a partition lands in the default one.
 */
export class CreateWebhooks extends Migration {
  override up(): void {
    for (const statement of createPlaces('webhooks')) this.addSql(statement)

    this.addSql(`CREATE TABLE webhooks.endpoint (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      mode text NOT NULL CHECK (mode IN ('live', 'test')),
      url text NOT NULL,
      events text[] NOT NULL CHECK (events <> '{}'),
      description text,
      enabled boolean NOT NULL DEFAULT true,
      disabled_reason text CHECK (disabled_reason IN ('user', 'failures')),
      failing_since timestamptz,
      created_at timestamptz NOT NULL
    )`)
    for (const statement of addPlaces('webhooks', 'endpoint')) this.addSql(statement)
    this.addSql(`CREATE INDEX endpoint_page ON webhooks.endpoint (organization_id, mode, list_place, id)`)
    this.addSql(`CREATE INDEX endpoint_failing ON webhooks.endpoint (failing_since) WHERE failing_since IS NOT NULL`)

    // The one without an end is the present one; the others sign too until theirs.
    this.addSql(`CREATE TABLE webhooks.secret (
      id uuid PRIMARY KEY,
      endpoint_id uuid NOT NULL REFERENCES webhooks.endpoint ON DELETE CASCADE,
      sealed bytea NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz
    )`)
    this.addSql(`CREATE INDEX secret_of_endpoint ON webhooks.secret (endpoint_id)`)
    this.addSql(`CREATE UNIQUE INDEX secret_present ON webhooks.secret (endpoint_id) WHERE expires_at IS NULL`)

    // The body is text: what is delivered again has the same bytes.
    this.addSql(`CREATE TABLE webhooks.event (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      mode text NOT NULL,
      type text NOT NULL,
      body text NOT NULL,
      created_at timestamptz NOT NULL
    ) PARTITION BY RANGE (id)`)
    for (const statement of addPlaces('webhooks', 'event')) this.addSql(statement)
    this.addSql(`CREATE INDEX event_page ON webhooks.event (organization_id, mode, list_place, id)`)
    // Else a page of a type that is rare reads all others; costs about 1 µs an event, a thirtieth of what recording it does.
    this.addSql(`CREATE INDEX event_of_type ON webhooks.event (organization_id, mode, type, list_place, id)`)

    // `next_attempt_at` is what people see. `due_at` is when the attempt is published, or published again because nothing came of it.
    // `retries` counts the attempts since the schedule began, which a replay begins anew.
    this.addSql(`CREATE TABLE webhooks.delivery (
      id uuid PRIMARY KEY,
      endpoint_id uuid NOT NULL,
      event_id uuid NOT NULL,
      event_type text NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'missed')),
      trigger text NOT NULL DEFAULT 'scheduled' CHECK (trigger IN ('scheduled', 'replay', 'test')),
      attempts int NOT NULL DEFAULT 0,
      retries int NOT NULL DEFAULT 0,
      publications int NOT NULL DEFAULT 0,
      next_attempt_at timestamptz,
      due_at timestamptz,
      last_status_code int,
      last_error text,
      example text,
      created_at timestamptz NOT NULL,
      delivered_at timestamptz
    ) PARTITION BY RANGE (id)`)
    for (const statement of addPlaces('webhooks', 'delivery')) this.addSql(statement)
    // What lists are filtered by is in the index, so that those that do not fit are passed over without their rows.
    this.addSql(`CREATE INDEX delivery_page ON webhooks.delivery (endpoint_id, list_place, id)
      INCLUDE (status, event_type, created_at)`)
    this.addSql(`CREATE INDEX delivery_due ON webhooks.delivery (due_at) WHERE status = 'pending'`)
    this.addSql(`CREATE INDEX delivery_pending ON webhooks.delivery (endpoint_id) WHERE status = 'pending'`)

    this.addSql(`CREATE TABLE webhooks.attempt (
      delivery_id uuid NOT NULL,
      number int NOT NULL,
      trigger text NOT NULL,
      at timestamptz NOT NULL,
      duration_ms int NOT NULL,
      status_code int,
      error_class text,
      response text,
      PRIMARY KEY (delivery_id, number)
    ) PARTITION BY RANGE (delivery_id)`)

    for (const table of ['event', 'delivery', 'attempt'])
      this.addSql(`CREATE TABLE webhooks.${table}_other PARTITION OF webhooks.${table} DEFAULT`)
  }
}
