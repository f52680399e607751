/** When a computer is online, and the events `computer.online` and `computer.offline`. */
import { computerToJson } from '@platen/resources/computer-schema.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { createPresence } from '../../presence.ts'
import { startTestDevices, type TestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER, type TestPrinter } from '../test-agent.ts'

const getTypes = async ({ events }: TestDevices) => (await events()).map(({ type }) => type)

test.each(['test', 'live'] as const)(
  'a hello emits `computer.online` and a clean shutdown `computer.offline`, each with the computer as it is then; its printers are unknown (%s)',
  async (mode) => {
    proves('event.computer.online', 'event.computer.offline', 'computer.shutdown', 'printer.unknown')
    const started = await startTestDevices({ mode })
    const { world, connect, events, computer, computerBecomes, advance, printers } = started
    const shownNow = async (type: string, sequence: number) => ({
      type,
      mode,
      sequence,
      timestamp: world.clock.now().toISOString(),
      data: computerToJson((await computer()) ?? expect.fail()),
    })
    const { agent, computerId } = await connect()
    const online = await shownNow('computer.online', 1)
    expect(await events('computer')).toMatchObject([online])
    expect(await printers()).toMatchObject([{ state: 'online' }])
    advance(5)
    agent.shutDown()
    await computerBecomes({ id: computerId, state: 'offline' })
    expect(await events('computer')).toMatchObject([online, await shownNow('computer.offline', 2)])
    expect(await printers()).toMatchObject([{ state: 'unknown' }])
  },
)

test('a drop of 29 s changes nothing and emits nothing, nor does the hello that heals it; one of 30 s makes the computer offline', async () => {
  proves(
    'event.computer.change-alone',
    'computer.offline.29s',
    'computer.offline.30s',
    'computer.heals.state',
    'computer.heals.events',
  )
  const started = await startTestDevices()
  const { connect, isDisconnected, advance, sweep, computer } = started
  const { agent, credential } = await connect()
  const before = await getTypes(started)
  agent.drop()
  await isDisconnected()
  advance(29)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'online' })
  const healed = await connect({ credential })
  advance(29)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'online' })
  expect(await getTypes(started)).toEqual(before)
  healed.agent.drop()
  await isDisconnected()
  advance(30)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'offline' })
})

test('a stream that is silent for 59 s changes nothing, for 60 s it makes the computer offline; its next message makes it online without a hello', async () => {
  proves('computer.silent.59s', 'computer.silent.60s')
  const started = await startTestDevices()
  const { connect, advance, sweep, computer, events } = started
  const types = async () => (await events('computer')).map(({ type }) => type)
  const { agent } = await connect()
  advance(59)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'online' })
  advance(1)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'offline' })
  expect(await types()).toEqual(['computer.online', 'computer.offline'])
  const all = ['computer.online', 'computer.offline', 'computer.online']
  agent.heartbeat()
  await waitFor(async () => {
    await sweep('presence')
    expect(await types()).toEqual(all)
  })
  expect(await computer()).toMatchObject({ state: 'online' })
  agent.heartbeat()
  await sweep('presence')
  await sweep('offline')
  expect(await types()).toEqual(all)
})

test('the silence of an agent begins with its last message, not when that is written', async () => {
  const { world, connect, advance, sweep, computer } = await startTestDevices()
  const { computerId } = await connect()
  const presence = createPresence(world.contexts.devices)
  const [row] = await world.query<{ epoch: string }>('SELECT epoch FROM devices.computer WHERE id = $1', [computerId])
  advance(10)
  presence.seen({ computerId, epoch: BigInt(row?.epoch ?? 0), end: () => expect.fail('ended') })
  advance(6)
  await presence.flush()
  advance(53)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'online' })
  advance(1)
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'offline' })
})

test('of computers that drop together each emits one event, however many printers it has and replicas sweep', async () => {
  const started = await startTestDevices()
  const { connect, isDisconnected, advance, sweep, events } = started
  const printers = Array.from({ length: 20 }, (_, n): TestPrinter => ({ ...LASER, osName: `printer-${n}` }))
  const computers = await Promise.all(Array.from({ length: 5 }, () => connect({ printers })))
  const before = (await getTypes(started)).length
  for (const { agent } of computers) agent.drop()
  await isDisconnected()
  advance(30)
  await Promise.all(Array.from({ length: 10 }, () => sweep('offline')))
  advance(3600)
  await Promise.all(computers.map(({ credential }) => connect({ credential, printers })))
  advance(10)
  await sweep('printer states')
  const ids = computers.map(({ computerId }) => computerId)
  const added = (await events()).slice(before).map(({ type, data }) => `${type} ${data.id}`)
  const expected = ['computer.offline', 'computer.online'].flatMap((type) => ids.map((id) => `${type} ${id}`))
  expect(added.sort()).toEqual(expected.sort())
})

test('recording heartbeats and taking silent computers offline lock in the same order, and a heartbeat after a shutdown changes nothing', async () => {
  const { connect, isDisconnected, query, world, advance, sweep, hold, waitsForLock, events } = await startTestDevices()
  for (const { agent } of [await connect(), await connect()]) agent.drop()
  await isDisconnected()
  const rows = await query<{ id: string; epoch: string }>(
    'SELECT id, epoch FROM devices.computer WHERE organization_id = $1 ORDER BY id DESC',
  )
  const presence = createPresence(world.contexts.devices)
  for (const { id, epoch } of rows) presence.seen({ computerId: id, epoch: BigInt(epoch), end: () => undefined })
  advance(60)
  const release = await hold(
    'SELECT FROM devices.computer WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    rows[0]?.id,
  )
  const flushed = presence.flush()
  await waitsForLock(1)
  const swept = sweep('offline')
  await waitsForLock(2)
  await release()
  await Promise.all([flushed, swept])
  const gone = { computerId: rows[0]?.id ?? '', epoch: BigInt(rows[0]?.epoch ?? 0), end: () => undefined }
  presence.seen(gone)
  advance(1)
  await presence.disconnected(gone, true)
  await presence.flush()
  const seen = await query(
    'SELECT last_seen_at AS at FROM devices.computer WHERE organization_id = $1 AND id = $2',
    gone.computerId,
  )
  expect(seen).toEqual([{ at: world.clock.now() }])
  const types = (await events('computer')).map(({ type }) => type)
  expect(types).toEqual(['computer.online', 'computer.online', 'computer.offline', 'computer.offline'])
})

test('a computer that is seen at the moment of a sweep stays online; heartbeats and ends of other streams do not change its state', async () => {
  const { connect, world, advance, sweep, hold, waitsForLock, devices } = await startTestDevices()
  const [first, second] = [await connect(), await connect()]
  const states = async () => {
    const found = await Promise.all([first, second].map(({ computerIds }) => devices.getComputer(computerIds)))
    return found.map(({ computer }) => computer?.state)
  }
  const presence = createPresence(world.contexts.devices)
  const ended: string[] = []
  const stream = { computerId: first.computerId, epoch: 1n, end: (why: string) => void ended.push(why) }
  await presence.disconnected({ ...stream, epoch: 0n }, true)
  expect(await states()).toEqual(['online', 'online'])
  const change = (set: string, ...values: unknown[]) =>
    hold(`UPDATE devices.computer SET ${set} WHERE organization_id = $1 AND id = $2`, first.computerId, ...values)
  advance(60)
  const isSeen = await change('last_seen_at = $3', world.clock.now())
  const swept = sweep('offline')
  await waitsForLock(1)
  await isSeen()
  await swept
  expect(await states()).toEqual(['online', 'offline'])
  advance(60)
  await sweep('offline')
  expect(await states()).toEqual(['offline', 'offline'])
  presence.seen(stream)
  await presence.flush()
  expect([await states(), ended]).toEqual([['online', 'offline'], []])
  const isReplaced = await change('epoch = epoch + 1')
  presence.seen(stream)
  const flushed = presence.flush()
  await waitsForLock(1)
  await isReplaced()
  await flushed
  expect(ended).toEqual(['superseded'])
})

test('a change of a computer whose event cannot be inserted does not happen, and happens with its event later', async () => {
  const started = await startTestDevices()
  const { connect, failEvents, advance, sweep, devices, computer, printers, events, world } = started
  const { agent, credential, computerIds } = await connect()
  const before = await events()
  const succeedAgain = await failEvents()
  agent.shutDown()
  await agent.ending()
  advance(60)
  await expect(sweep('offline')).rejects.toThrow('failing')
  await expect(devices.deleteComputer(computerIds)).rejects.toThrow()
  expect(await computer()).toMatchObject({ state: 'online' })
  expect(await printers()).toHaveLength(1)
  expect(await events()).toEqual(before)
  await succeedAgain()
  await sweep('offline')
  expect(await computer()).toMatchObject({ state: 'offline' })

  const succeedAtLast = await failEvents()
  const refused = connectTestAgent(world.agentAddress, credential)
  refused.hello()
  await refused.ending()
  expect(await computer()).toMatchObject({ state: 'offline' })
  await succeedAtLast()
  await connect({ credential })
  const types = await getTypes(started)
  expect(types.slice(before.length)).toEqual(['computer.offline', 'computer.online'])
})
