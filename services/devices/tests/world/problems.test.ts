/** What is wrong with computers and printers, for alerts. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { release } from '@platen/runtime/release.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { LASER } from '../test-agent.ts'

/** The kinds of the present problems, and the devices. */
async function startProblems() {
  const started = await startTestDevices()
  const { devices, organizationId } = started
  return {
    ...started,
    list: async (resourceIds: string[] = []) =>
      await devices.listProblems({ organizationIds: [organizationId], resourceIds }),
    kinds: async () =>
      (await devices.listProblems({ organizationIds: [organizationId] })).problems.map(({ kind }) => kind),
    setVersion: (version: string) =>
      started.query('UPDATE devices.computer SET agent_version = $2 WHERE organization_id = $1', version),
  }
}

test('a computer is offline from the time of its last message; one that never connected has no problem', async () => {
  const never = await startProblems()
  await never.enroll()
  expect(await never.kinds()).toEqual([])
  const { connect, advance, isDisconnected, sweep, list, world, computerBecomes, kinds } = await startProblems()
  const { agent, computerId, credential } = await connect()
  expect(await kinds()).toEqual([])
  const lastSeenAt = world.clock.now()
  agent.drop()
  await isDisconnected()
  advance(30)
  await sweep('offline')
  expect((await list()).problems).toMatchObject([
    {
      kind: 'computer_offline',
      computerId,
      printerId: '',
      since: { seconds: BigInt(Math.floor(lastSeenAt.getTime() / 1000)) },
    },
  ])
  await connect({ credential })
  await computerBecomes({ state: 'online' })
  expect(await kinds()).toEqual([])
})

test('of more problems than the limit, those of the named devices come first, in each organization', async () => {
  const { connect, list, devices, organizationId } = await startProblems()
  const { report } = await connect()
  const printers = Array.from({ length: 5 }, (_, n) => ({
    ...LASER,
    osName: `p${n}`,
    name: `P${n}`,
    stateReasons: ['media-jam'],
  }))
  await report(...printers)
  const { problems } = await list()
  expect(problems).toHaveLength(5)
  const last = problems.at(-1)?.printerId ?? ''
  const first = await devices.listProblems({ organizationIds: [organizationId], resourceIds: [last], limit: 2 })
  expect(first.problems.map(({ printerName }) => printerName)).toEqual(['P4', 'P0'])
})

test('a printer needs attention while it reports one of the keywords, and is offline after 10 seconds; both last while its computer is offline', async () => {
  const { connect, advance, sweep, list, kinds, computerBecomes } = await startProblems()
  const { agent, report, printer } = await connect()
  await report({ ...LASER, stateReasons: ['media-empty', 'toner-low'] })
  expect((await list()).problems).toMatchObject([
    { kind: 'printer_attention', printerId: printer.id, printerName: 'Laser', detail: 'media-empty' },
  ])
  await report({ ...LASER, stateReasons: ['toner-low'] })
  expect(await kinds()).toEqual([])
  await report({ ...LASER, state: 'offline', stateReasons: ['media-jam'], stateDetail: 'Paper jam' })
  expect(await kinds()).toEqual(['printer_attention'])
  advance(10)
  await sweep('printer states')
  expect((await kinds()).toSorted()).toEqual(['printer_attention', 'printer_offline'])
  agent.shutDown()
  await computerBecomes({ state: 'offline' })
  expect((await kinds()).toSorted()).toEqual(['computer_offline', 'printer_attention', 'printer_offline'])
})

test('an agent is outdated if its version begins with a lower minor version than that of the service', async () => {
  const { connect, setVersion, kinds } = await startProblems()
  await connect()
  const [major = 0, minor = 0] = release.split('.').map(Number)
  const older = minor > 0 ? `${major}.${minor - 1}.99` : `${major - 1}.99.0`
  for (const version of ['0.0.9', 'v0.0.9', '0.0.9-dev', older]) {
    await setVersion(version)
    expect(await kinds(), version).toEqual(['agent_outdated'])
  }
  for (const version of [
    release,
    `${major}.${minor + 1}.0`,
    `${major + 1}.0.0`,
    '',
    'bench',
    '99999.1.0',
    '0.0',
    '-1.0.0',
  ]) {
    await setVersion(version)
    expect(await kinds(), version).toEqual([])
  }
})

test('removed printers and deleted computers have no problem, and a mode has those of its devices', async () => {
  const { connect, devices, organizationId, setVersion, kinds } = await startProblems()
  const jammed = { ...LASER, osName: 'label', name: 'Label', stateReasons: ['media-jam'] }
  const { computerIds, report } = await connect({ printers: [LASER, jammed] })
  const readKinds = async (mode: string) =>
    (await devices.listProblems({ organizationIds: [organizationId], mode })).problems.map(({ kind }) => kind)
  expect(await readKinds('live')).toEqual(['printer_attention'])
  expect(await readKinds('test')).toEqual([])
  await report(LASER)
  expect(await kinds()).toEqual([])
  await setVersion('0.0.9')
  expect(await readKinds('live')).toEqual(['agent_outdated'])
  expect(await readKinds('test')).toEqual([])
  await devices.deleteComputer(computerIds)
  expect(await kinds()).toEqual([])
})

test('deleted computers and removed printers are missing', async () => {
  const { connect, devices, list } = await startProblems()
  const { computerIds, computerId, printer, report } = await connect()
  const other = await connect()
  expect((await list([computerId, printer.id, other.computerId])).missingIds).toEqual([])
  await report()
  expect((await list([computerId, printer.id, other.computerId])).missingIds).toEqual([printer.id])
  await devices.deleteComputer(computerIds)
  await waitFor(async () =>
    expect((await list([computerId, printer.id, other.computerId])).missingIds.toSorted()).toEqual(
      [computerId, printer.id].toSorted(),
    ),
  )
})

test('a destination has a problem while none of its printers is available, since the last of them became so', async () => {
  const { connect, devices, tenant, organizationId, world, kinds, advance } = await startProblems()
  const [first, second] = [await connect(), await connect()]
  const { destination } = await devices.createDestination({
    ...{ ...tenant, name: 'kitchen', policy: 'first', standbyAfter: 0, enabled: true },
    printerIds: [first.printer.id, second.printer.id],
  })
  const id = destination?.id ?? ''
  const list = async (mode?: string) => {
    const request = { organizationIds: [organizationId], resourceIds: [id], withDestinations: true }
    const { problems, missingIds } = await devices.listProblems({ ...request, ...(mode && { mode }) })
    return { problems: problems.filter(({ kind }) => kind === 'destination_unavailable'), missingIds }
  }
  await first.report({ ...LASER, stateReasons: ['media-empty'] })
  expect(await list()).toEqual({ problems: [], missingIds: [] })
  advance(60)
  await devices.pauseComputer({ ...second.computerIds, paused: true })
  expect((await list()).problems).toMatchObject([
    {
      ...{ printerId: id, printerName: 'kitchen', detail: 'Laser: printer waits, Laser: computer paused' },
      since: { seconds: BigInt(Math.floor(world.clock.now().getTime() / 1000)) },
    },
  ])
  expect(await kinds()).not.toContain('destination_unavailable')
  expect((await list('live')).problems).toHaveLength(1)
  expect((await list('test')).problems).toEqual([])
  await devices.updateDestination({ ...tenant, destinationId: id, enabled: false })
  expect((await list()).problems).toEqual([])
  await devices.updateDestination({ ...tenant, destinationId: id, enabled: true })
  world.intercept(JobsService.method.endDestination, async () => Promise.reject(new Error('jobs do not answer')))
  await devices.deleteDestination({ ...tenant, destinationId: id })
  expect(await list()).toEqual({ problems: [], missingIds: [id] })
})

test('organizations are found by live computers that were seen last within a time and are offline, neither lost nor deleted', async () => {
  const { connect, devices, organizationId, query, world, computerBecomes } = await startProblems()
  const { agent } = await connect()
  agent.shutDown()
  await computerBecomes({ state: 'offline' })
  const [after, before] = [0, 60_000].map((ms) => new Date(world.clock.now().getTime() + ms)) as [Date, Date]
  const [lastSeenAfter, lastSeenBefore] = [timestampFromDate(after), timestampFromDate(before)]
  const isFound = async () =>
    (await devices.listOfflineOrganizations({ lastSeenAfter, lastSeenBefore })).organizationIds.includes(organizationId)
  const set = (column: string, value: unknown) =>
    query(`UPDATE devices.computer SET ${column} = $2 WHERE organization_id = $1`, value)
  await set('last_seen_at', before)
  expect(await isFound()).toBe(true)
  for (const [column, value, reset] of [
    ['last_seen_at', after, before],
    ['last_seen_at', new Date(before.getTime() + 1), before],
    ['state', 'online', 'offline'],
    ['lost_at', after, null],
    ['deleted_at', after, null],
    ['mode', 'test', 'live'],
  ] as const) {
    await set(column, value)
    expect(await isFound(), column).toBe(false)
    await set(column, reset)
  }
})
