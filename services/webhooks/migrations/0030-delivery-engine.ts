import { Migration } from '@mikro-orm/migrations'

export class AddDeliveryEngine extends Migration {
  override up(): void {
    // Waits for its endpoint, and not for the time of a retry: it is called back when the endpoint can be reached again.
    this.addSql(`ALTER TABLE webhooks.delivery ADD COLUMN is_put_off boolean NOT NULL DEFAULT false`)
  }
}
