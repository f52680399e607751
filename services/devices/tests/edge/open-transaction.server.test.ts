import { createJobs } from '@platen/jobs/create-jobs.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { startTestWebhooks } from '@platen/webhooks/tests/webhooks-world.ts'
import { Client, type Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'

test('lists of jobs, printers and deliveries from the oldest end before the oldest open transaction, so that a poller misses nothing; newest first they do not', async () => {
  proves('convention.cursor.polling')
  const world = await startOwnWorld()
  const organization = await newOrganization(world)
  const tenant = { organizationId: organization.id, mode: 'live' }
  const { id, computerId } = await organization.addPrinter()
  const webhooks = await startTestWebhooks(world)
  const resourceId = uuidv7()
  const { id: endpointId } = await webhooks.makeEndpoint()
  const [first] = await webhooks.addDeliveries(endpointId, { body: `{"data":{"id":"${resourceId}"}}` })
  const repeatDelivery = (sql: Pick<Client, 'query'>, type: string) =>
    sql.query(
      `INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, created_at, delivered_at, attempts)
       SELECT $2, endpoint_id, event_id, $3, status, created_at, delivered_at, attempts FROM webhooks.delivery WHERE id = $1`,
      [first, uuidv7(), type],
    )
  const listed = async (ascending: boolean) => {
    const { printers } = await world.devices.listPrinters({ ...tenant, page: { ascending } })
    const { jobs } = await world.jobs.listJobs({ ...tenant, page: { ascending } })
    const request = { ...webhooks.tenant, resourceId, page: { ascending } }
    const { deliveries } = await world.deliveries.listResourceDeliveries(request)
    const names = deliveries.map(({ eventType }) => eventType)
    return [...printers.map(({ osName }) => osName), ...jobs.map(({ title }) => title), ...names]
  }
  await untilVisible(world.pool)
  const slow = new Client({ connectionString: world.databaseUrl })
  await slow.connect()
  await slow.query('BEGIN')
  const job = { ...sampleJob(world.clock.now()), ...tenant, title: 'slow' }
  await createJobs(slow as unknown as Pool, [job])
  // As a report of printers does it.
  await slow.query(
    `INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name, enabled,
       is_default, reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers, created_at, updated_at)
     VALUES ($1, $2, $3, 'live', 'Slow', 'Slow', '', 'Slow', true, false, 'online', '', '{}', '{}', '{}', '[]', now(), now())`,
    [uuidv7(), computerId, organization.id],
  )
  await repeatDelivery(slow, 'printer.added')
  await repeatDelivery(world.pool as unknown as Client, 'printer.removed')
  await organization.addPrinter('live', { computerId, name: 'Fast' })
  await organization.createJob({ id, computerId }, { title: 'fast' })
  expect([await listed(true), await listed(false)]).toEqual([
    ['Laser', 'printjob.done'],
    ['Fast', 'Laser', 'fast', 'printer.removed', 'printjob.done'],
  ])
  await slow.query('COMMIT')
  await slow.end()
  await untilVisible(world.pool)
  expect([await listed(true), await listed(false)]).toEqual([
    ['Laser', 'Slow', 'Fast', 'slow', 'fast', 'printjob.done', 'printer.added', 'printer.removed'],
    ['Fast', 'Slow', 'Laser', 'fast', 'slow', 'printer.removed', 'printer.added', 'printjob.done'],
  ])
})
