import { expect, test } from 'vitest'
import { startTestWebhooks } from './start-test-webhooks.ts'

test('the service makes its schema', async () => {
  const { query } = await startTestWebhooks()

  const tables = await query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'webhooks' ORDER BY 1`,
  )

  expect(tables.map(({ tablename }) => tablename)).toEqual(expect.arrayContaining(['delivery', 'endpoint', 'event']))
})
