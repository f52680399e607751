import { v7 as uuidv7 } from 'uuid'
import type { TestWebhooks } from './start-test-webhooks.ts'

/** An endpoint that is only a row: nothing is delivered to it. @returns its id. */
export async function addEndpoint(
  { query }: Pick<TestWebhooks, 'query'>,
  tenant: { organizationId: string; mode: string },
  { events = ['printjob.done'], enabled = true } = {},
): Promise<string> {
  const id = uuidv7()
  await query(
    `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, enabled, created_at)
     VALUES ($1, $2, $3, 'http://127.0.0.1:9/hook', $4, $5, now())`,
    [id, tenant.organizationId, tenant.mode, events, enabled],
  )
  return id
}
