/** The real service, on a database of its own, with a clock that the test moves. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { Pool, type QueryResultRow } from 'pg'
import { onTestFinished } from 'vitest'
import { startAccounts } from '../service.ts'

export const SECRET = 'a secret of the test installation'

export async function startTestAccounts() {
  const databaseUrl = await createDatabase()
  const clock = createTestClock()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = createTestProcess('accounts')
  onTestFinished(() => service.stop())
  await startAccounts(service, { rpc: { listen: { host: '127.0.0.1', port }, secret: SECRET }, databaseUrl }, clock)
  const client = createTestProcess('test')
  onTestFinished(() => client.stop())
  const accounts = connectRpc(client, AccountsService, { url, secret: SECRET })
  const pool = new Pool({ connectionString: databaseUrl })
  onTestFinished(() => pool.end())
  const query = async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
    (await pool.query<Row>(sql, values)).rows
  return {
    clock,
    url,
    port,
    databaseUrl,
    pool,
    accounts,
    stop: () => service.stop(),
    query,
    /** As the release before made them. */
    addOldKeys: (organizationId: string, count: number) =>
      query(
        `INSERT INTO accounts.api_key (id, organization_id, name, key_sha256, prefix, mode, scopes, created_at)
         SELECT gen_random_uuid(), $1, 'till', sha256(n::text::bytea), 'platen_test_', 'test', '{read}', now()
         FROM generate_series(1, $2) n`,
        [organizationId, count],
      ),
    async createOrganization(name = 'Shop') {
      return (await accounts.createOrganization({ name })).organization?.id ?? ''
    },
    async createKey(organizationId: string, facts: { mode?: 'live' | 'test'; scopes?: string[]; name?: string } = {}) {
      const answer = await accounts.createApiKey({
        organizationId,
        name: 'till',
        mode: 'test',
        scopes: ['read'],
        ...facts,
      })
      return { key: answer.key, id: answer.apiKey?.id ?? '', apiKey: answer.apiKey }
    },
  }
}
