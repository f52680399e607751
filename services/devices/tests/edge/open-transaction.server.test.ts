import { untilSettled } from '@platen/test/harness/until-settled.ts'
import { follow, writeOutOfOrder } from '@platen/test/harness/write-out-of-order.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

/** As a printer report does, in a transaction that the test ends. */
const insertPrinter = (organizationId: string, computerId: string) => async (client: Client) => {
  const id = uuidv7()
  await client.query(
    `INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name, enabled,
       is_default, reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers, created_at, updated_at)
     VALUES ($1, $2, $3, 'test', $4, 'P', '', 'P', true, false, 'online', '', '{}', '{}', '{}', '[]', now(), now())`,
    [id, computerId, organizationId, id],
  )
  return id
}

const pageOf = (world: World) => async (after: Uint8Array | undefined) => {
  // As many as there can be: a poller that lags behind the writers proves nothing.
  const page = { limit: 100, ascending: true, after }
  const { printers, end } = await world.devices.listPrinters({
    organizationId: world.organizationId,
    mode: 'test',
    page,
  })
  return { ids: printers.map(({ id }) => id), next: end?.place }
}

test('a poller sees each printer exactly once while 16 writers commit in another order than they insert in', async () => {
  const world = await startTestDevices()
  const { computerId } = await world.enroll()
  const writing = writeOutOfOrder(world.databaseUrl, insertPrinter(world.organizationId, computerId))
  const seen = await follow(writing, pageOf(world))
  const inserted = await writing
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.toSorted()).toEqual(inserted.toSorted())
})

test('a poller waits for the oldest open transaction, which newest first does not', async () => {
  const world = await startTestDevices()
  const { computerId } = await world.enroll()
  const insert = insertPrinter(world.organizationId, computerId)
  const [slow, fast] = [0, 1].map(() => new Client({ connectionString: world.databaseUrl })) as [Client, Client]
  await Promise.all([slow.connect(), fast.connect()])
  await slow.query('BEGIN')
  const first = await insert(slow)
  const second = await insert(fast)
  const newestFirst = async () =>
    (await world.devices.listPrinters({ organizationId: world.organizationId, mode: 'test', page: {} })).printers.map(
      ({ id }) => id,
    )
  expect((await pageOf(world)(undefined)).ids).toEqual([])
  expect(await newestFirst()).toEqual([second])
  await slow.query('COMMIT')
  await untilSettled(fast)
  expect((await pageOf(world)(undefined)).ids).toEqual([first, second])
  expect(await newestFirst()).toEqual([second, first])
  await Promise.all([slow.end(), fast.end()])
})

test('computers are listed newest first, and in pages', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await world.enroll()).computerId)
  const page = async (after?: Uint8Array) => {
    const { organizationId } = world
    const { computers, end } = await world.devices.listComputers({
      organizationId,
      mode: 'live',
      page: { limit: 2, after },
    })
    return { ids: computers.map(({ id }) => id), hasMore: end?.hasMore, after: end?.place }
  }
  const first = await page()
  expect(first).toMatchObject({ ids: ids.toReversed().slice(0, 2), hasMore: true })
  expect(await page(first.after)).toMatchObject({ ids: ids.slice(0, 1), hasMore: false })
})
