/** Runs the checker on the history of all tests of `test/api`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRunningInstallation } from '@platen/deploy/commands/running-installation.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installation } from '../api/installation.ts'
import { checkHistory, type Group } from '../checker/check-history.ts'
import { collectHistory, countUnread, openDatabase, type Stores } from '../checker/collect.ts'
import type { History } from '../checker/history.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { readWebhooks, requests, toCalls } from './records.ts'

/** Groups that apply to any history. `isolation` covers ids; `secrets.test.ts` covers secrets. */
const GROUPS: [Group, (history: History) => unknown[]][] = [
  ['transitions', ({ database }) => database.events],
  ['publication', ({ database }) => database.log],
  ['feed', ({ database }) => database.feed],
  ['reads', ({ calls }) => calls.filter(({ state }) => state !== undefined)],
  ['idempotency', ({ calls }) => calls.filter(({ isReplay }) => isReplay)],
  ['documents', ({ storedDocuments, database }) => (storedDocuments.length > 0 ? database.documents : [])],
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
    filesDirectory: join(installation.dataDir, 'files'),
  }
  await waitFor(async () => expect(await countUnread(stores.database)).toBe(0))
  const settings = { ...SETTINGS, webhookGapsMs: [1_000, 1_000] }
  history = await collectHistory(stores, { settings, calls: requests.flatMap(toCalls), ...readWebhooks() })
}, 120_000)

afterAll(async () => {
  await stores?.database.end()
})

test.each(GROUPS)('no test violated the invariants of %s', (group, checked) => {
  expect(checked(history)).not.toHaveLength(0)
  expect(checkHistory(history, [group])).toEqual([])
})

test('every state reason of a job is in the catalogue', async () => {
  proves('state-reasons.catalogue')
  const { rows } = await stores.database.query<{ reason: string }>(
    'SELECT DISTINCT unnest(state_reasons) AS reason FROM jobs.job',
  )
  const catalogue = await readFile(new URL('../../docs/reference/state-reasons.md', import.meta.url), 'utf8')
  expect(rows).not.toHaveLength(0)
  expect(rows.filter(({ reason }) => !catalogue.includes(`\`${reason}\``))).toEqual([])
})
