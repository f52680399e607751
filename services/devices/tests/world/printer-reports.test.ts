/** Reports that arrive in the stream: when they are stored. */
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { LASER } from '../test-agent.ts'

async function start() {
  const started = await startTestDevices()
  const { connect, printers } = started
  const connected = await connect()
  return {
    ...started,
    ...connected,
    say: (name: string, osName = 'laser') =>
      connected.agent.say({ case: 'printers', value: { printers: [{ ...LASER, osName, name }] } }),
    areNamed: (...names: string[]) =>
      waitFor(async () => expect((await printers()).map(({ name }) => name)).toEqual(names)),
    all: () => started.query('SELECT os_name FROM devices.printer WHERE organization_id = $1'),
  }
}

test('a report that cannot be stored is stored later, without being sent again', async () => {
  const { say, lockPrinters, waitsForLock, world, areNamed } = await start()
  const unlock = await lockPrinters()
  say('Laser 2')
  await waitsForLock(1)
  const killed = await world.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  expect(killed).toEqual([{ pg_terminate_backend: true }])
  await unlock()
  await areNamed('Laser 2')
})

test('reports are stored one after the other, and of those that wait only the newest', async () => {
  const { agent, say, lockPrinters, waitsForLock, areNamed, all, events } = await start()
  const unlock = await lockPrinters()
  say('Laser 1')
  say('Never stored', 'never')
  for (let n = 3; n <= 50; n++) say(`Laser ${n}`)
  // Answered after the reports are read.
  agent.received(crypto.randomUUID())
  await agent.hears('refused')
  await waitsForLock(1)
  await unlock()
  await areNamed('Laser 50')
  expect(await all()).toEqual([{ os_name: 'laser' }])
  const updated = await events('printer.updated')
  expect(updated.map(({ resource }) => resource.value)).toMatchObject([{ name: 'Laser 1' }, { name: 'Laser 50' }])
})

test('a report of a stream that a newer one has replaced is not stored, and the stream is ended', async () => {
  const { agent, say, query, sweep, connect, credential, areNamed, all } = await start()
  await query('UPDATE devices.computer SET epoch = epoch + 1 WHERE organization_id = $1')
  say('Late', 'late')
  await waitFor(async () => {
    await sweep('presence')
    expect(agent.isOver()).toBe(true)
  })
  expect(await agent.ending()).toBe('ended')
  await connect({ credential, printers: [{ ...LASER, name: 'Laser 2' }] })
  await areNamed('Laser 2')
  expect(await all()).toEqual([{ os_name: 'laser' }])
})

test('a report of a silent agent is stored after `computer.online`', async () => {
  const { say, advance, sweep, events } = await start()
  advance(60)
  await sweep('offline')
  say('Laser 2')
  await waitFor(async () => {
    await sweep('presence')
    const types = (await events()).slice(2).map(({ type }) => type)
    expect(types).toEqual(['computer.offline', 'computer.online', 'printer.updated'])
  })
})
