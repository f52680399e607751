/** The checker on what all tests of `test/api` left behind in their installation. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRunningInstallation } from '@platen/deploy/running-installation.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installation } from '../api/installation.ts'
import { checkHistory, type Group } from '../checker/check-history.ts'
import { collectHistory, openDatabase, openNats, readConsumerLag, type Stores } from '../checker/collect.ts'
import type { History } from '../checker/history.ts'
import { waitFor } from '../harness/wait-for.ts'
import { readWebhooks, requests, toCalls } from './records.ts'

/** An event whose confirmation was lost is published again after 30 s. */
const IDLE_LIMIT_MS = 60_000

/** Those that hold for any history. `isolation` covers ids; `secrets.test.ts` covers secrets. */
const GROUPS: [Group, (history: History) => unknown[]][] = [
  ['transitions', ({ database }) => database.events],
  ['publication', ({ keptEventIds }) => keptEventIds],
  ['feed', ({ database }) => database.feed],
  ['reads', ({ calls }) => calls.filter(({ state }) => state !== undefined)],
  ['idempotency', ({ calls }) => calls.filter(({ isReplay }) => isReplay)],
  ['documents', ({ storedDocuments }) => storedDocuments],
  ['usage', ({ database }) => database.ledger],
  ['webhooks', ({ receivedWebhooks = [] }) => receivedWebhooks],
  ['isolation', ({ calls }) => calls.filter(({ namedIds }) => namedIds.length > 0)],
]

const SETTINGS = { resendAfterMs: 5_000, resendsMax: 3, printingTimeoutMs: 900_000, agentLostMs: 86_400_000 }

let stores: Stores
let history: History

beforeAll(async () => {
  const { ports, secrets } = await findRunningInstallation({ PLATEN_DATA_DIR: installation.dataDir })
  stores = {
    database: openDatabase(`postgres://platen:${secrets.postgresPassword}@127.0.0.1:${ports.postgres}/platen`),
    nats: await openNats(`nats://${secrets.natsToken}@127.0.0.1:${ports.nats}`, 'history'),
    filesDirectory: join(installation.dataDir, 'files'),
  }
  await waitFor(untilIdle, IDLE_LIMIT_MS)
  const settings = { ...SETTINGS, webhookGapsMs: [1_000, 1_000] }
  history = await collectHistory(stores, { settings, calls: requests.flatMap(toCalls), ...readWebhooks() })
}, 120_000)

afterAll(async () => {
  await stores?.nats.close()
  await stores?.database.end()
})

async function untilIdle(): Promise<void> {
  const lag = await readConsumerLag(stores.nats)
  expect(Object.values(lag), JSON.stringify(lag)).toEqual(Object.values(lag).map(() => 0))
  const outbox = 'SELECT subject, awaiting FROM jobs.outbox UNION ALL SELECT subject, awaiting FROM devices.outbox'
  expect((await stores.database.query(outbox)).rows).toEqual([])
}

test.each(GROUPS)('no test violated the invariants of %s', (group, checked) => {
  expect(checked(history)).not.toHaveLength(0)
  expect(checkHistory(history, [group])).toEqual([])
})

test('every state reason of a job is in the catalogue [state-reasons.catalogue]', async () => {
  const { rows } = await stores.database.query<{ reason: string }>(
    'SELECT DISTINCT unnest(state_reasons) AS reason FROM jobs.job',
  )
  const catalogue = await readFile(new URL('../../docs/state-reasons.md', import.meta.url), 'utf8')
  expect(rows).not.toHaveLength(0)
  expect(rows.filter(({ reason }) => !catalogue.includes(`\`${reason}\``))).toEqual([])
})
