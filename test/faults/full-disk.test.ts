/** The disk of an installation becomes full while jobs arrive, and has space again. Nothing is restarted by hand. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrl } from '@platen/deploy/launcher/postgres.ts'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createApi } from '../harness/api.ts'
import { enrollComputer } from '../harness/enroll-computer.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { isAlive, type Platen, startPlaten } from '../harness/platen.ts'
import { canMount, mountSmallDisk } from '../harness/small-disk.ts'
import { waitFor } from '../harness/wait-for.ts'

/** More than a start requires. */
const DISK_BYTES = 640 * 1024 * 1024

/** A busy machine is slower than the promised second. */
const REFUSAL_LIMIT_MS = 5_000

/** PostgreSQL first uses the space that it has reserved for changes. Returns when there is none. */
async function useReservedSpace({ dataDir }: Platen): Promise<void> {
  const read = async (name: string) => JSON.parse(await readFile(join(dataDir, name), 'utf8'))
  const [{ ports }, { postgresPassword }] = await Promise.all([read('run.json'), read('secrets.json')])
  const client = new Client(databaseUrl(ports.postgres, postgresPassword))
  const lost = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  const write = () => client.query("SELECT pg_logical_emit_message(false, '', repeat('x', 1000000))")
  while (
    await write().then(
      () => true,
      () => false,
    )
  );
  await lost
}

/** An agent that connects when the test requests it. */
async function enroll({ credentials: { baseUrl, agentUrl, adminKey } }: Platen) {
  const api = createApi(baseUrl, adminKey)
  const { credential } = await enrollComputer(api)
  const connect = () => connectLightAgent(new URL(agentUrl).host, credential)
  const agent = await connect()
  const { id: printerId } = await api.printer('Bench')
  agent.close()
  return { api, printerId, connect }
}

test.skipIf(!canMount)(
  'a full disk ends no service and no installation: creations are refused at once, and when there is space again each accepted job is done',
  async () => {
    const disk = mountSmallDisk({ sizeBytes: DISK_BYTES })
    const platen = await startPlaten({ dataDir: disk.dir })
    onTestFinished(async () => void (await platen.stop()))
    const getPids = () => Promise.all(['platen', 'postgres', 'nats-server'].map(platen.getPid))
    const [service, postgres, nats] = await getPids()
    const { api, printerId, connect } = await enroll(platen)
    const content = Buffer.from('Hello').toString('base64')
    const accepted: string[] = []
    const refusals: { status: number; afterMs: number }[] = []
    async function create(): Promise<void> {
      const startedAt = performance.now()
      const job = { printerId, title: 'Hello', contentType: 'raw_base64', content }
      const { status, body } = await api.post('/v1/printjobs', job)
      if (status === 201) accepted.push(body.id)
      else refusals.push({ status, afterMs: performance.now() - startedAt })
    }
    const createTen = () => Promise.all(Array.from({ length: 10 }, create))

    await createTen()
    disk.fill()
    await Promise.all([createTen(), useReservedSpace(platen)])
    const report = /^postgres ended .* restarting until the disk has free space$/m
    await waitFor(() => expect(platen.output()).toMatch(report))
    await createTen()
    disk.free()
    const acceptedBefore = accepted.length
    await waitFor(async () => {
      await create()
      expect(accepted.length).toBeGreaterThan(acceptedBefore)
    })

    expect(acceptedBefore).toBeGreaterThanOrEqual(10)
    expect(refusals.length).toBeGreaterThanOrEqual(10)
    expect(refusals.filter(({ status, afterMs }) => status !== 503 || afterMs > REFUSAL_LIMIT_MS)).toEqual([])
    const agent = await connect()
    onTestFinished(agent.close)
    for (const id of accepted) expect(await api.waitUntilFinal(id)).toMatchObject({ state: 'done' })
    await waitFor(async () => {
      const pids = await getPids()
      expect(pids).toEqual([
        service,
        expect.not.toSatisfy((pid) => pid === postgres),
        expect.not.toSatisfy((pid) => pid === nats),
      ])
      expect(pids.filter((pid) => !isAlive(pid))).toEqual([])
    })
    expect(platen.output().match(/^\S+ ended .*$/gm)).toEqual([
      expect.stringMatching(report),
      'nats-server ended (stopped after a full disk), restarting',
    ])
  },
)
