import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { startTestWebhooks } from '@platen/webhooks/tests/webhooks-world.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'

test('lists of jobs, printers and deliveries from the oldest end before the oldest open transaction, so that a poller misses nothing; newest first they do not', async () => {
  proves('convention.cursor.polling')
  const world = await startOwnWorld()
  const organization = await newOrganization(world)
  const tenant = { organizationId: organization.id, mode: 'live' }
  const { id, computerId } = await organization.addPrinter()
  const firstJob = await organization.createJob({ id, computerId }, { title: 'first' })
  const webhooks = await startTestWebhooks(world)
  const resourceId = uuidv7()
  const { id: endpointId } = await webhooks.makeEndpoint()
  const [first] = await webhooks.addDeliveries(endpointId, { body: `{"data":{"id":"${resourceId}"}}` })
  /**
   * It adds rows as release 0.1.0 does, so without a number, whose counter a transaction of this release locks until
   * its end.
   */
  const copy = async (sql: Pick<Client, 'query'>, table: string, from: string, changes: object) => {
    const [schema] = table.split('.')
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query(
      `INSERT INTO ${table} OVERRIDING USER VALUE SELECT (jsonb_populate_record(
         copied, $2::jsonb
           || jsonb_build_object('id', $3::text, 'commit_seq', ${schema}.to_commit_seq(pg_current_xact_id())))).*
       FROM ${table} AS copied WHERE id = $1`,
      [from, JSON.stringify(changes), uuidv7()],
    )
  }
  const repeatDelivery = (sql: Pick<Client, 'query'>, type: string) =>
    sql.query(
      `INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, created_at, delivered_at, attempts)
       SELECT $2, endpoint_id, event_id, $3, status, created_at, delivered_at, attempts FROM webhooks.delivery
       WHERE id = $1`,
      [first, uuidv7(), type],
    )
  const listed = async (ascending: boolean) => {
    const { printers } = await world.devices.listPrinters({ ...tenant, page: { ascending } })
    const { json } = await world.devices.listPrinters({ ...tenant, page: { ascending }, asJson: true })
    expect(json.map((text) => JSON.parse(Buffer.from(text).toString()).id)).toEqual(printers.map(({ id }) => id))
    const { jobs } = await world.jobs.listJobs({ ...tenant, page: { ascending } })
    const request = { ...webhooks.tenant, resourceId, page: { ascending } }
    const { deliveries } = await world.deliveries.listResourceDeliveries(request)
    const names = deliveries.map(({ eventType }) => eventType)
    return [...printers.map(({ osName }) => osName), ...jobs.map(({ title }) => title), ...names]
  }
  await untilVisible(world.pool)
  const slow = new Client({ connectionString: world.databaseUrl })
  await slow.connect()
  onTestFinished(() => slow.end())
  await slow.query('BEGIN')
  await copy(slow, 'jobs.job', firstJob, { title: 'slow', number: null })
  await copy(slow, 'devices.printer', id, { os_name: 'Slow', number: 1_000 })
  await repeatDelivery(slow, 'printer.added')
  await repeatDelivery(world.pool as unknown as Client, 'printer.removed')
  await organization.addPrinter('live', { computerId, name: 'Fast' })
  await organization.createJob({ id, computerId }, { title: 'fast' })
  expect([await listed(true), await listed(false)]).toEqual([
    ['Laser', 'first', 'printjob.done'],
    ['Fast', 'Laser', 'fast', 'first', 'printer.removed', 'printjob.done'],
  ])
  await slow.query('COMMIT')
  await untilVisible(world.pool)
  expect([await listed(true), await listed(false)]).toEqual([
    ['Laser', 'Slow', 'Fast', 'first', 'slow', 'fast', 'printjob.done', 'printer.added', 'printer.removed'],
    ['Fast', 'Slow', 'Laser', 'fast', 'slow', 'first', 'printer.removed', 'printer.added', 'printjob.done'],
  ])
})
