/**
 * `npm run bench -- agents 3000 --rolling-restart`: how three replicas of devices that are restarted one by one share
 * their agents.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { freePort } from '../harness/free-port.ts'
import type { LightAgent } from '../harness/light-agent.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { keepConnected } from '../load/keep-connected.ts'
import { printTable } from './report.ts'

const REPLICAS = 3
const AT_ONCE = 20
/** The time between two replicas in the chart. */
const MIN_READY_MS = 5_000
/**
 * Instead of 30 minutes, so that all streams have been replaced within the run. The first ones are, by the variation,
 * after the restarts.
 */
const STREAM_MAX_SECONDS = 90
const STREAM_MAX_MS = 1.2 * STREAM_MAX_SECONDS * 1000
const CONNECTED_TIMEOUT_MS = 30_000

export async function benchRollingRestart(streams: number): Promise<void> {
  console.log('starting …')
  const opsPorts = [await freePort(), await freePort(), await freePort()]
  const env: Record<string, string> = {
    PLATEN_STREAM_MAX_SECONDS: String(STREAM_MAX_SECONDS),
    // The value of the chart: the grace period of devices, less 10 s.
    PLATEN_DRAIN_SECONDS: '50',
  }
  const system = await startSystem({ devices: REPLICAS, env })
  const agents: LightAgent[] = []
  /** The times by `performance.now()`. */
  const hellos: number[] = []
  try {
    const connect = async () => {
      while (agents.length < streams) {
        const credential = await system.addComputer(uuidv7())
        if (agents.length >= streams) return
        agents.push(
          await keepConnected(system.agentAddresses, credential, { onHello: () => hellos.push(performance.now()) }),
        )
        if (agents.length % 1000 === 0) console.log(`${agents.length} streams …`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, connect))
    const startedAt = performance.now()
    for (let nth = 0; nth < REPLICAS; nth++) {
      if (nth > 0) await sleep(MIN_READY_MS)
      console.log(`restarting devices-${nth} …`)
      const replica = system.processes.find(({ name }) => name === `devices-${nth}`)
      // Shows what the replica holds on a port of its own.
      Object.assign(env, { PLATEN_OPS_LISTEN: `127.0.0.1:${opsPorts[nth]}`, PLATEN_METRICS: 'on' })
      await replica?.restart()
    }
    const restarted = performance.now()
    const during = hellos.filter((at) => at > startedAt)
    console.log(`waiting ${STREAM_MAX_MS / 1000} s for the age of the streams …`)
    await sleep(STREAM_MAX_MS)
    const shares = await waitFor(async () => {
      const counts = await Promise.all(opsPorts.map(readConnected))
      const sum = counts.reduce((total, count) => total + count, 0)
      if (sum < 0.99 * streams) throw new Error(`${sum} of ${streams} streams are open`)
      return counts.map((count) => Math.round((1000 * count) / sum) / 10)
    }, CONNECTED_TIMEOUT_MS)
    printTable({
      streams: agents.length,
      'restart of all replicas s': Math.round((restarted - startedAt) / 1000),
      'hellos during the restart': during.length,
      'most hellos within 1 s of the restart': mostWithinSecond(during),
      'most hellos within 1 s afterwards': mostWithinSecond(hellos.filter((at) => at > restarted)),
      'events computer.offline': await countOffline(system),
      'least share %': Math.min(...shares),
      'largest share %': Math.max(...shares),
    })
  } finally {
    for (const agent of agents) agent.close()
    await system.stop()
  }
}

/** The most of any window. @param times ascending, in milliseconds. */
const mostWithinSecond = (times: number[]): number => {
  let first = 0
  return times.reduce((most, at, n) => {
    while (at - (times[first] ?? at) >= 1000) first++
    return Math.max(most, n - first + 1)
  }, 0)
}

async function readConnected(port: number | undefined): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^platen_agents_connected (\d+)$/m.exec(text)?.[1] ?? 0)
}

async function countOffline({ databaseUrl }: System): Promise<number> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client
    .query<{ count: string }>(`SELECT count(*) FROM devices.event_log WHERE type = 'computer.offline'`)
    .finally(() => client.end())
  return Number(rows[0]?.count)
}
