import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { startTestNats, type TestNats } from '../nats.ts'

async function withManager<T>(
  { url }: TestNats,
  work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
) {
  const { host, username } = new URL(url)
  const connection = await connect({ servers: host, token: username })
  return await work(await jetstreamManager(connection)).finally(() => connection.close())
}

const addStream = (nats: TestNats) =>
  withManager(nats, (manager) => manager.streams.add({ name: 'KEPT', subjects: ['kept.>'] }))

const streamNames = (nats: TestNats) => withManager(nats, (manager) => manager.streams.names().next())

test('a killed nats-server comes back at the same address with its store', async () => {
  const nats = await startTestNats()
  await addStream(nats)
  await nats.kill()
  await expect(streamNames(nats)).rejects.toThrow()
  await nats.start()
  expect(await streamNames(nats)).toEqual(['KEPT'])
})

test('a wiped nats-server comes back at the same address with an empty store', async () => {
  const nats = await startTestNats()
  await addStream(nats)
  await nats.kill()
  await nats.wipe()
  await nats.start()
  expect(await streamNames(nats)).toEqual([])
})
