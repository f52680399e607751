import { Migration } from '@mikro-orm/migrations'

/**
 * Deliveries are taken by their endpoints: what is due for each of them, and how many of each are leased, which are those that are due
 * again later than their attempt was. `delivery.is_put_off` is of the release before, and is dropped by the next one.
 */
export class AddDeliveryPlaces extends Migration {
  override up(): void {
    // How many of its deliveries may be leased at a time. What it may be: `delivery/places.ts`.
    this.addSql(`ALTER TABLE webhooks.endpoint ADD COLUMN places int NOT NULL DEFAULT 32`)
    for (const index of ['due', 'pending']) this.addSql(`DROP INDEX webhooks.delivery_${index}`)
    this.addSql(`CREATE INDEX delivery_pending ON webhooks.delivery (endpoint_id, due_at) WHERE status = 'pending'`)
    this.addSql(`CREATE INDEX delivery_leased ON webhooks.delivery (endpoint_id, due_at)
      WHERE status = 'pending' AND due_at > next_attempt_at`)
  }
}
