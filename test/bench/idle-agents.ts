import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import type { System } from '../harness/system.ts'

const AT_ONCE = 50

/** Connects agents that only answer heartbeats. @param addCredential of a new computer. */
export async function connectIdleAgents(
  { agentAddress }: System,
  count: number,
  addCredential: (n: number) => Promise<string>,
): Promise<LightAgent[]> {
  const agents: LightAgent[] = []
  let started = 0
  const connect = async () => {
    while (started < count) {
      agents.push(await connectLightAgent(agentAddress, await addCredential(started++)))
      if (agents.length % 1000 === 0) console.log(`${agents.length} idle agents …`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, connect))
  return agents
}
