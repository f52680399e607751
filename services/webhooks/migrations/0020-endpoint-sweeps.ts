import { Migration } from '@mikro-orm/migrations'

/** The few rows that the sweeps of endpoints look for. */
export class IndexEndpointSweeps extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX endpoint_disabled ON webhooks.endpoint (id) WHERE NOT enabled`)
    this.addSql(`CREATE INDEX secret_ending ON webhooks.secret (expires_at) WHERE expires_at IS NOT NULL`)
  }
}
