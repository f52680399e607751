import { createDatabase } from '@platen/test/harness/database.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { listQuery } from '../../list-deliveries.ts'
import { COUNT_DELIVERIES } from '../../rpc/count-deliveries.ts'

test('a page of deliveries is read by the index with the filters, in each day, and a count by the same since its first day', async () => {
  const client = new Client({ connectionString: await createDatabase() })
  await client.connect()
  onTestFinished(() => client.end())
  for (const day of ['01', '02'])
    await client.query(`
      CREATE TABLE webhooks.delivery_2026${day} PARTITION OF webhooks.delivery
      FOR VALUES FROM ('${day}000000-0000-0000-0000-000000000000') TO ('${day}ffffff-0000-0000-0000-000000000000')`)
  const endpoint = { organizationId: uuidv7(), mode: 'test', endpointId: uuidv7() }
  const filters = { statuses: ['failed'], eventTypes: ['printer.added'] }
  const page = { after: { commitSeq: 7n, id: endpoint.endpointId }, ascending: false, rows: 26 }
  const { sql, values } = listQuery(endpoint, filters, page, 'delivery.id')
  const statement = sql.replaceAll(
    /\$(\d+)/g,
    (_, n) =>
      `'${[values[Number(n) - 1]]
        .flat()
        .join()
        .replace(/^(failed|printer.added)$/, '{$1}')}'`,
  )
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off')
  const explain = async (sql: string, values: unknown[] = []) => {
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${sql}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Merge Append')
    expect(plan).not.toContain('Seq Scan')
    return plan.match(/Index Only Scan Backward using delivery_\w+_endpoint_id/g)
  }
  expect(await explain(statement)).toHaveLength(3)
  const { organizationId, mode, endpointId } = endpoint
  const since = ['02000000-0000-0000-0000-000000000000', new Date()]
  expect(await explain(COUNT_DELIVERIES, [endpointId, organizationId, mode, ...since, '1 hour', 10])).toHaveLength(2)
})
