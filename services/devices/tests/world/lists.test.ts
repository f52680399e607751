/** Lists of computers and printers, and to whom they and jobs are visible. */
import { create } from '@bufbuild/protobuf'
import { PageRequestSchema } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { printerToJson } from '@platen/resources/printer-schema.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { LASER } from '../test-agent.ts'

const notFound = { code: 'not_found' }

test('computers are listed newest first, and in pages', async () => {
  proves('computers.paged', 'computers.order')
  const { devices, tenant, enroll } = await startTestDevices()
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await enroll()).computerId)
  const page = async (after?: Uint8Array) => {
    const { computers, end } = await devices.listComputers({ ...tenant, page: { limit: 2, after } })
    return { ids: computers.map(({ id }) => id), hasMore: end?.hasMore, after: end?.position }
  }
  const first = await page()
  expect(first).toMatchObject({ ids: ids.toReversed().slice(0, 2), hasMore: true })
  expect(await page(first.after)).toMatchObject({ ids: ids.slice(0, 1), hasMore: false })
})

test('the printers of a computer are listed, in pages, and found by their number', async () => {
  proves('endpoint.GET.computers.id.printers')
  const { devices, connect, tenant } = await startTestDevices()
  const first = await connect({ printers: [LASER, { ...LASER, osName: 'removed' }] })
  await first.report(LASER)
  const reported = ['a', 'b'].map((osName) => ({ osName, name: osName }))
  const second = await connect({ printers: reported })
  const list = async (filters: object, page: { limit: number; after?: Uint8Array | undefined }) => {
    const request = { ...tenant, ...filters, page: create(PageRequestSchema, page) }
    const { printers, end } = await devices.listPrinters(request)
    const { json } = await devices.listPrinters({ ...request, asJson: true })
    const names = printers.map(({ osName }) => osName)
    expect(json.map((text) => JSON.parse(Buffer.from(text).toString()).osName)).toEqual(names)
    return { names, numbers: printers.map(({ number }) => number), hasMore: end?.hasMore, last: end?.position }
  }
  const ofFirst = await list(first.computerIds, { limit: 25 })
  expect(ofFirst).toMatchObject({ names: ['laser'], hasMore: false })
  expect(await list({ number: ofFirst.numbers[0] }, { limit: 25 })).toEqual(ofFirst)
  const page = await list(second.computerIds, { limit: 1 })
  expect(page).toMatchObject({ hasMore: true })
  const next = await list(second.computerIds, { limit: 1, after: page.last })
  expect([...page.names, ...next.names].toSorted()).toEqual(['a', 'b'])
})

test('computers, printers and jobs of another organization or mode are not found and in no list', async () => {
  proves(
    'tenant.other-organization.printer',
    'tenant.other-organization.computer',
    'tenant.other-organization.print-job',
    'tenant.other-organization.print-job-events',
    'tenant.lists',
  )
  const { devices, jobs, tenant, connect, getState } = await startTestDevices()
  const { computerId, printer, createJob } = await connect()
  const printerId = printer.id
  const jobId = await createJob()
  const settings = { name: 'kitchen', policy: 'any', standbyAfter: 30, enabled: true }
  const { destination } = await devices.createDestination({ ...tenant, ...settings, printerIds: [printerId] })
  const destinationId = destination?.id ?? ''
  const calls = (owner: typeof tenant) => [
    devices.getPrinter({ ...owner, printerId }),
    devices.getSharedPrinter({ ...owner, printer: printerId }),
    devices.getSharedPrinter({ ...owner, printer: String(printer.number) }),
    devices.getDestination({ ...owner, destinationId }),
    devices.getSharedDestination({ ...owner, destination: destinationId }),
    devices.resolveDestination({ ...owner, text: 'kitchen' }),
    devices.getComputer({ ...owner, computerId }),
    devices.listPrinters({ ...owner, computerId }),
    jobs.getJob({ ...owner, jobId }),
    jobs.listJobEvents({ ...owner, jobId }),
  ]
  await Promise.all(calls(tenant))
  const strangers: (typeof tenant)[] = [
    { ...tenant, organizationId: uuidv7() },
    { ...tenant, mode: 'test' },
  ]
  for (const stranger of strangers) {
    const outcomes = await Promise.allSettled([
      ...calls(stranger),
      devices.updatePrinter({ ...stranger, printerId, displayName: 'Mine' }),
      devices.deleteComputer({ ...stranger, computerId }),
      jobs.cancelJob({ ...stranger, jobId, actor: 'api' }),
    ])
    expect(outcomes).toMatchObject(outcomes.map(() => ({ status: 'rejected', reason: notFound })))
    const page = { limit: 100 }
    const [{ printers }, { computers }, { jobs: listed }] = await Promise.all([
      devices.listPrinters({ ...stranger, page }),
      devices.listComputers({ ...stranger, page }),
      jobs.listJobs({ ...stranger, page }),
    ])
    const ids = [...printers, ...computers, ...listed].map(({ id }) => id)
    for (const id of [printerId, computerId, jobId]) expect(ids).not.toContain(id)
  }
  await expect(devices.resolvePrinter({ organizationId: uuidv7(), printerId })).rejects.toMatchObject(notFound)
  expect(await devices.getPrinter({ ...tenant, printerId })).toMatchObject({ printer })
  expect(await getState(jobId)).not.toBe('cancelled')
})

test('a summary, the names of computers and a search are of one organization and mode, without deleted computers and removed printers', async () => {
  const { devices, tenant, query, connect, world } = await startTestDevices()
  const { agent, computerId, printer, report } = await connect({
    printers: [LASER, { osName: 'gone', name: 'laser' }],
  })
  const label = { osName: 'label', name: 'label' }
  await report(LASER, label)
  const deleted = await connect()
  await devices.deleteComputer({ ...tenant, computerId: deleted.computerId })
  const ofTestMode = await connect()
  for (const table of ['computer', 'printer'])
    await query(
      `UPDATE devices.${table} SET mode = 'test'
       WHERE organization_id = $1 AND $2 IN (id, ${table === 'printer' ? 'computer_id' : 'id'})`,
      ofTestMode.computerId,
    )
  await (await startTestDevices()).connect()
  const [usedUp, expired] = await query<{ id: string }>('SELECT id FROM devices.enrollment WHERE organization_id = $1')
  await query('UPDATE devices.enrollment SET uses = 0, max_uses = 1 WHERE organization_id = $1')
  await query('UPDATE devices.enrollment SET uses = 1 WHERE organization_id = $1 AND id = $2', usedUp?.id)
  const now = world.clock.now()
  await query('UPDATE devices.enrollment SET expires_at = $3 WHERE organization_id = $1 AND id = $2', expired?.id, now)

  expect((await devices.listPrinters({ ...tenant, page: { limit: 10 } })).printers).toHaveLength(2)
  const { shown, ...counts } = await devices.summarizeDevices({ ...tenant, printerIds: [] })
  expect(counts).toMatchObject({ computers: 1, onlineComputers: 1, printers: 2, onlinePrinters: 1 })
  expect(shown.map(({ displayName }) => displayName)).toEqual(['label', 'Laser'])
  const { computers, printerIds, usableEnrollments } = await devices.listComputerNames(tenant)
  expect(computers).toMatchObject([{ id: computerId, printers: 2 }])
  expect([printerIds.length, printerIds.includes(printer.id), usableEnrollments]).toEqual([2, true, 1])
  expect((await devices.listComputerNames({ ...tenant, mode: 'test' })).usableEnrollments).toBe(0)
  for (const search of [
    { text: 'ASE', wholeName: false },
    { text: 'laser', wholeName: true },
  ])
    expect((await devices.findPrinters({ ...tenant, ...search })).printerIds).toEqual([printer.id])
  agent.shutDown()
  await waitFor(async () =>
    expect(await devices.summarizeDevices({ ...tenant, printerIds: [] })).toMatchObject({
      ...{ computers: 1, onlineComputers: 0, printers: 2, onlinePrinters: 0 },
    }),
  )
})

test('a summary shows 50 printers, and those that are requested', async () => {
  const { devices, tenant, connect, printers } = await startTestDevices()
  await connect({ printers: Array.from({ length: 51 }, (_, n) => ({ ...LASER, osName: `${n}`, name: `${n + 100}` })) })
  const byName = (await printers()).toSorted((a, b) => a.name.localeCompare(b.name)).map(({ id }) => id)
  const printerIds = [0, 50].map((n) => byName[n] ?? '')
  const { shown, requested } = await devices.summarizeDevices({ ...tenant, printerIds })
  expect([shown, requested].map((all) => all.map(({ id }) => id))).toEqual([byName.slice(0, 50), printerIds])
})

test('a page of large printers as JSON has at most 256 KiB, and shows each as it is read, also after a change', async () => {
  proves('page.bytes')
  const { devices, tenant, query, connect, computerBecomes } = await startTestDevices()
  const { printer, agent } = await connect()
  const list = async (after?: Uint8Array) => {
    const page = create(PageRequestSchema, { limit: 100, after })
    const { json, end } = await devices.listPrinters({ ...tenant, page, asJson: true })
    return { texts: json, printers: json.map((text) => JSON.parse(Buffer.from(text).toString())), end }
  }
  const read = async () => {
    const found = await devices.getPrinter({ ...tenant, printerId: printer.id })
    return JSON.parse(JSON.stringify(found.printer && printerToJson(found.printer)))
  }
  expect((await list()).printers).toEqual([await read()])
  await devices.updatePrinter({ ...tenant, printerId: printer.id, displayName: 'Desk' })
  expect((await list()).printers).toEqual([await read()])
  agent.shutDown()
  await computerBecomes({ state: 'offline' })
  expect((await list()).printers).toMatchObject([{ displayName: 'Desk', state: 'unknown' }])

  await query(
    `INSERT INTO devices.printer SELECT (jsonb_populate_record(printer, jsonb_build_object('id', uuidv7(), 'os_name', n,
       'capabilities', jsonb_build_object('bins', array[repeat('x', 25000)])))).*
     FROM devices.printer, generate_series(1, 14) AS n WHERE organization_id = $1`,
  )
  const first = await list()
  expect(Buffer.concat(first.texts).length).toBeLessThanOrEqual(256 * 1024)
  expect(first).toMatchObject({ texts: { length: 10 }, end: { hasMore: true } })
  expect(await list(first.end?.position)).toMatchObject({ texts: { length: 5 }, end: { hasMore: false } })
})
