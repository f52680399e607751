/** `npm run bench -- agents`: what 5,000 idle agent streams cost the devices service, and how fast a push goes down one of them. */
import { v7 as uuidv7 } from 'uuid'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { startSystem } from '../harness/system.ts'
import { rssBytes } from './cpu.ts'
import { printTable } from './report.ts'

const STREAMS = 5_000
const AT_ONCE = 50

export async function benchAgents(): Promise<void> {
  console.log('starting …')
  const system = await startSystem()
  const agents: LightAgent[] = []
  try {
    const devices = system.pids.devices ?? 0
    agents.push(await connectLightAgent(system.agentAddress, await system.addComputer(uuidv7())))
    const before = await rssBytes(devices)
    const startedAt = performance.now()
    const connect = async () => {
      while (agents.length < STREAMS) {
        const credential = await system.addComputer(uuidv7())
        if (agents.length < STREAMS) agents.push(await connectLightAgent(system.agentAddress, credential))
        if (agents.length % 1000 === 0) console.log(`${agents.length} streams …`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, connect))
    const seconds = (performance.now() - startedAt) / 1000
    const after = await rssBytes(devices)
    printTable({
      streams: agents.length,
      'streams opened a second': Math.round(agents.length / seconds),
      'KB a stream': Math.round((after - before) / agents.length / 1024),
      'devices RSS MB': Math.round(after / 1024 / 1024),
    })
  } finally {
    for (const agent of agents) agent.close()
    await system.stop()
  }
}
