/**
 * Destinations through REST: docs/reference/destinations.md. What printers do with their jobs is in
 * `devices/tests/world/destinations.test.ts`.
 */
import { BUDGETS } from '@platen/resources/budgets.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { expectError, UNKNOWN_ID } from '../client.ts'

/** Two printers of a computer that is offline, and requests about destinations. */
async function start() {
  const organization = await newOrganization()
  const { api, world } = organization
  const first = await organization.addPrinter('live', { name: 'Kitchen printer' })
  const second = await organization.addPrinter('live', { name: 'Bar printer', computerId: first.computerId })
  const post = (facts: object = {}) =>
    api.post('/v1/destinations', { name: 'kitchen', printers: [first.id, second.id], ...facts })
  return {
    ...organization,
    first,
    second,
    post,
    create: async (facts: object = {}) => (await post(facts)).body,
    /** A job of the destination. */
    job: (destination: string | number, facts: object = {}) => {
      const { printerId: _, ...others } = printJob(first.id, { destination, ...facts })
      return others
    },
    goOnline: () => world.query(`UPDATE devices.computer SET state = 'online' WHERE id = $1`, [first.computerId]),
  }
}

test('a destination is created, read, listed, changed and deleted', async () => {
  proves(
    ...['endpoint.POST.destinations', 'endpoint.GET.destinations', 'endpoint.GET.destinations.id'],
    ...[
      'endpoint.PATCH.destinations.id',
      'endpoint.DELETE.destinations.id',
      'destination.object',
      'destinations.number',
    ],
    ...[
      'destination.policy',
      'destination.standbyAfter.default',
      'destination.expireAfter.null',
      'destination.delete.name',
    ],
  )
  const { api, first, second, post, create, world } = await start()
  const { status, body } = await post({ expireAfter: 3600 })
  const at = world.clock.now().toISOString()
  const printers = [first, second].map(({ id: printerId }) => ({ printerId, jobId: null, reason: 'computer-offline' }))
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...{ number: 1, name: 'kitchen', policy: 'first', standbyAfter: 30, enabled: true, expireAfter: 3600, printers },
    ...{ waitingJobs: 0, nextPrinterId: null, createdAt: at, updatedAt: at },
  })
  const path = `/v1/destinations/${body.id}`
  for (const one of [path, '/v1/destinations/1']) expect((await api.get(one)).body).toEqual(body)
  const other = await create({ name: 'bar', policy: 'any' })
  expect((await api.get('/v1/destinations')).body.data).toEqual([other, body])
  expect((await api.get('/v1/destinations?number=1')).body.data).toEqual([body])
  const changes = {
    name: 'pass',
    printers: [second.id],
    policy: 'any',
    standbyAfter: 0,
    enabled: false,
    expireAfter: null,
  }
  const changed = await api.patch(path, changes)
  expect(changed.body).toMatchObject({ ...changes, printers: [{ printerId: second.id, name: 'Bar printer' }] })
  expect((await api.patch(path, {})).body).toEqual(changed.body)
  expect((await api.delete(path)).status).toBe(204)
  expectError(await api.get(path), 404, 'not_found')
  expect((await post({ name: 'pass' })).status).toBe(201)
})

describe('the fields of a creation', () => {
  test.each<[rules: string[], facts: object, status: number, message?: RegExp]>([
    [['destination.name.1'], { name: 'k' }, 201],
    [['destination.name.100'], { name: 'k'.repeat(100) }, 201],
    [['destination.name.0'], { name: '' }, 400, /`name`/],
    [['destination.name.101'], { name: 'k'.repeat(101) }, 400, /`name`/],
    [['destination.printers.0'], { printers: [] }, 400, /`printers`/],
    [['destination.printers.21'], { printers: Array.from({ length: 21 }, () => uuidv7()) }, 400, /`printers`/],
    [['destination.standbyAfter.3600'], { standbyAfter: 3600 }, 201],
    [['destination.standbyAfter.3601'], { standbyAfter: 3601 }, 400, /`standbyAfter`/],
    [['destination.expireAfter.604800'], { expireAfter: 604_800 }, 201],
    [['destination.expireAfter.604801'], { expireAfter: 604_801 }, 400, /`expireAfter`/],
    [['destination.policy'], { policy: 'last' }, 400, /`policy`: must be `first` or `any`/],
    [['destination.printers.unknown'], { printers: [UNKNOWN_ID] }, 404],
  ])('%s', async (rules, facts, status, message = /\w/) => {
    proves(...rules)
    const { post } = await start()
    const answer = await post(facts)
    if (status < 400) expect(answer.status).toBe(status)
    else expectError(answer, status, status === 404 ? 'not_found' : 'invalid_request', message)
  })

  test('1 and 20 printers are accepted, by their numbers as well, and none twice', async () => {
    proves(
      'destination.printers.1',
      'destination.printers.20',
      'destination.printers.number',
      'destination.printers.twice',
    )
    const { post, first, addPrinter } = await start()
    const printers: { id: string }[] = [first]
    for (let n = 2; n <= 20; n++)
      printers.push(await addPrinter('live', { name: `P${n}`, computerId: first.computerId }))
    const { body } = await post({ printers: printers.map(({ id }) => id) })
    expect(body.printers.map(({ printerId }: { printerId: string }) => printerId)).toEqual(printers.map(({ id }) => id))
    expect((await post({ name: 'one', printers: ['1'] })).body.printers).toMatchObject([{ printerId: first.id }])
    expectError(
      await post({ name: 'two', printers: [first.id, 1] }),
      400,
      'invalid_request',
      /`printers`: has a printer twice/,
    )
  })

  test('a printer of another organization or mode, or a removed one, is a 404, also in a change', async () => {
    proves('destination.printers.unknown')
    const { api, post, create, addPrinter, second, world } = await start()
    const { id } = await create()
    const foreign = await (await newOrganization()).addPrinter()
    const ofTest = await addPrinter('test')
    await world.query('UPDATE devices.printer SET removed_at = now() WHERE id = $1', [second.id])
    for (const printer of [foreign, ofTest, second]) {
      const facts = { name: 'other', printers: [printer.id] }
      expectError(await post(facts), 404, 'not_found', new RegExp(printer.id))
      expectError(await api.patch(`/v1/destinations/${id}`, facts), 404, 'not_found', new RegExp(printer.id))
    }
    expect((await api.get(`/v1/destinations/${id}`)).body.printers).toMatchObject([{}, { reason: 'printer-removed' }])
  })

  test('a name is taken once, in a mode', async () => {
    proves('destination.name.taken')
    const { api, testApi, post, create } = await start()
    await create()
    expectError(await post(), 400, 'invalid_request', /`name`: another destination has the name `kitchen`/)
    const { id } = await create({ name: 'bar' })
    expectError(await api.patch(`/v1/destinations/${id}`, { name: 'kitchen' }), 400, 'invalid_request', /`name`/)
    const { body } = await testApi.get('/v1/printers')
    const ofTest = { name: 'kitchen', printers: [body.data[0].id] }
    expect((await testApi.post('/v1/destinations', ofTest)).status).toBe(201)
  })

  test('an organization has up to 500 destinations in a mode', async () => {
    proves('destinations.limit.500', 'destinations.limit.501')
    const { api, post, create, world } = await start()
    const { id } = await create()
    await world.query(
      `INSERT INTO devices.destination (id, organization_id, mode, name, printer_ids, policy, standby_after, enabled,
         created_at, updated_at)
       SELECT uuidv7(), organization_id, mode, 'd' || n, printer_ids, policy, standby_after, enabled, created_at,
         updated_at
       FROM devices.destination, generate_series(1, $2) AS n WHERE id = $1`,
      [id, BUDGETS.destinations.max - 2],
    )
    expect((await post({ name: 'the last one' })).status).toBe(201)
    expectError(await post({ name: 'one more' }), 409, 'limit_reached')
    await api.delete(`/v1/destinations/${id}`)
    expect((await post({ name: 'one more' })).status).toBe(201)
  })
})

describe('a job', () => {
  test('names its destination by id, name or number, shows it, and is listed by it', async () => {
    proves(
      'create.destination',
      'print-job.destinationId',
      'print-jobs.filter.destinationId',
      'destination.waitingJobs',
    )
    const { api, create, job, first, testApi } = await start()
    const { id } = await create()
    const jobs: { id: string }[] = []
    for (const named of [id, id.toUpperCase(), 'kitchen', '1', 1]) {
      const created = await api.createJob(job(named))
      expect(created).toMatchObject({
        destinationId: id,
        printerId: first.id,
        computerId: first.computerId,
        state: 'queued',
      })
      jobs.push(created)
    }
    await api.createJob(printJob(first.id))
    const list = async (query: string, by = api) => (await by.get(`/v1/printjobs?${query}`)).body.data
    for (const query of [`destinationId=${id}`, 'destinationId=1', `destinationId=${id}&state=queued`])
      expect((await list(query)).map((one: { id: string }) => one.id)).toEqual(jobs.map((one) => one.id).toReversed())
    for (const query of [
      `destinationId=${id}&state=done`,
      `destinationId=${UNKNOWN_ID}`,
      `destinationId=${id}&source=x`,
    ])
      expect(await list(query)).toEqual([])
    expect(await list(`destinationId=${id}`, testApi)).toEqual([])
    expect((await api.get(`/v1/destinations/${id}`)).body).toMatchObject({ waitingJobs: jobs.length })
  })

  test('is refused for what no destination has, for a disabled one, and with a printer beside it', async () => {
    proves(
      'create.destination.unknown',
      'create.destination.both',
      'destination.disabled.refusal',
      'create.destination.removed',
    )
    proves('error.422.destination_disabled')
    const { api, create, job, first, second, world } = await start()
    expectError(await api.post('/v1/printjobs', job('kitchen')), 404, 'not_found', /`kitchen`/)
    const { id } = await create()
    for (const also of [{ printerId: first.id }, { printer: 'Bar printer' }])
      expectError(
        await api.post('/v1/printjobs', { ...job(id), ...also }),
        400,
        'invalid_request',
        /`destination`: cannot be combined/,
      )
    await api.patch(`/v1/destinations/${id}`, { enabled: false })
    expectError(await api.post('/v1/printjobs', job(id)), 422, 'destination_disabled')
    await api.patch(`/v1/destinations/${id}`, { enabled: true })
    for (const printer of [first, second])
      await world.query('UPDATE devices.printer SET removed_at = now() WHERE id = $1', [printer.id])
    expectError(await api.post('/v1/printjobs', job(id)), 404, 'not_found', /None of the printers/)
  })

  test('the text of `destination` has 1 to 100 characters', async () => {
    proves('create.destination.1', 'create.destination.0', 'create.destination.100', 'create.destination.101')
    const { api, create, job } = await start()
    for (const name of ['k', 'k'.repeat(100)]) {
      await create({ name })
      expect((await api.post('/v1/printjobs', job(name))).status).toBe(201)
    }
    for (const name of ['', 'k'.repeat(101)])
      expectError(await api.post('/v1/printjobs', job(name)), 400, 'invalid_request', /`destination`/)
  })

  test('has the `expireAfter` of its destination unless it has one of its own', async () => {
    proves('destination.expireAfter', 'create.expireAfter.default')
    const { api, create, job } = await start()
    await create({ expireAfter: 3600 })
    await create({ name: 'bar' })
    expect(await api.createJob(job('kitchen'))).toMatchObject({ expireAfter: 3600 })
    expect(await api.createJob(job('kitchen', { expireAfter: 60 }))).toMatchObject({ expireAfter: 60 })
    expect(await api.createJob(job('bar'))).toMatchObject({ expireAfter: 86_400 })
  })

  test('is planned for the printer that would get it, also if the first one is disabled', async () => {
    proves('destination.nextPrinterId', 'destination.available', 'destination.printers.reason')
    const { api, create, job, first, second, goOnline } = await start()
    await goOnline()
    const { id } = await create({ standbyAfter: 0 })
    const get = async () => (await api.get(`/v1/destinations/${id}`)).body
    expect(await get()).toMatchObject({ nextPrinterId: first.id, printers: [{ reason: null, since: null }, {}] })
    await api.patch(`/v1/printers/${first.id}`, { enabled: false })
    expect(await get()).toMatchObject({
      nextPrinterId: second.id,
      printers: [{ reason: 'printer-disabled', since: expect.any(String) }, { reason: null }],
    })
    expect(await api.createJob(job('kitchen'))).toMatchObject({ printerId: second.id })
    await api.patch(`/v1/printers/${second.id}`, { enabled: false })
    expect(await api.createJob(job('kitchen'))).toMatchObject({ printerId: first.id, state: 'queued' })
  })

  test('is explained: no printer may take it, or which one takes it next', async () => {
    proves('explanation.destination-unavailable', 'explanation.waits-for-destination', 'explanation.destination')
    const { api, create, job, first, goOnline } = await start()
    await create()
    const { id } = await api.createJob(job('kitchen'))
    const explain = async () => (await api.get(`/v1/printjobs/${id}/explanation`)).body
    expect(await explain()).toMatchObject({
      code: 'destination-unavailable',
      paper: 'not_yet',
      cause: expect.stringContaining(
        'No printer of destination kitchen may take the job: Kitchen printer has an offline computer',
      ),
    })
    await goOnline()
    expect(await explain()).toMatchObject({
      code: 'waits-for-destination',
      cause: 'Kitchen printer takes the job next, when it has finished the job before.',
    })
    const fact = { name: 'destination', value: 'kitchen: no printer has taken the job' }
    expect((await explain()).facts).toContainEqual(expect.objectContaining(fact))
    expect(first.id).toBeDefined()
  })

  test('is validated: who would get it, what would keep it, and what another printer would ignore', async () => {
    proves('validate.destination', 'validate.destination.options')
    const { api, addPrinter, first, create, job, goOnline } = await start()
    const duplex = await addPrinter('live', {
      name: 'Duplex',
      computerId: first.computerId,
      capabilities: { duplex: true, papers: [{ name: 'A4' }] },
    })
    const { id } = await create({ printers: [duplex.id, first.id] })
    const { content: _, ...sent } = job('kitchen', { options: { duplex: 'long-edge' } })
    const validate = async (facts = {}) => (await api.post('/v1/printjobs/validate', { ...sent, ...facts })).body
    expect(await validate()).toMatchObject({
      refusal: null,
      destinationId: id,
      printer: { id: duplex.id },
      warnings: [
        { code: 'destination-unavailable' },
        { code: 'option-ignored', message: expect.stringContaining('Kitchen printer') },
      ],
    })
    await goOnline()
    const { warnings } = await validate()
    expect(warnings).toMatchObject([{ code: 'option-ignored', message: expect.stringContaining('Kitchen printer') }])
    expect(await validate({ destination: 'nothing' })).toMatchObject({
      refusal: { code: 'not_found' },
      destinationId: null,
    })
  })
})

test('a destination shows the job that a printer has taken, and that another one of `any` is the next', async () => {
  proves('destination.printers.jobId', 'destination.nextPrinterId')
  const { api, create, job, first, second, goOnline, world } = await start()
  await goOnline()
  const { id } = await create({ policy: 'any' })
  const taken = await api.createJob(job(id))
  await api.createJob(job(id))
  // No agent claims it.
  await world.query(`UPDATE jobs.job SET state = 'sent', waiting_destination_id = NULL WHERE id = $1`, [taken.id])
  const get = async () => (await api.get(`/v1/destinations/${id}`)).body
  expect(await get()).toMatchObject({
    printers: [
      { printerId: first.id, jobId: taken.id },
      { printerId: second.id, jobId: null },
    ],
    nextPrinterId: second.id,
    waitingJobs: 1,
  })
  await api.patch(`/v1/destinations/${id}`, { policy: 'first' })
  expect(await get()).toMatchObject({ nextPrinterId: first.id })
})

test('a deletion with waiting jobs is refused with their number, unless it ends them', async () => {
  proves('destination.delete.in-use', 'error.409.destination_in_use')
  const { api, create, job } = await start()
  const { id } = await create()
  const jobs = [await api.createJob(job(id)), await api.createJob(job(id))]
  expectError(await api.delete(`/v1/destinations/${id}`), 409, 'destination_in_use', /^2 jobs wait/)
  expectError(await api.delete(`/v1/destinations/${id}?waitingJobs=keep`), 400, 'invalid_request')
  expect((await api.delete(`/v1/destinations/${id}?waitingJobs=end`)).status).toBe(204)
  for (const { id: jobId } of jobs)
    expect(await api.getJob(jobId)).toMatchObject({ state: 'error', stateReasons: ['destination-deleted'] })
})
