import { type Api, createApi, expectStatus } from '../harness/api.ts'
import { enrollComputer } from '../harness/enroll-computer.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { keepConnected } from './keep-connected.ts'

/**
 * Adds computers to a new organization, each with one printer that prints at once.
 *
 * @param addresses of the replicas for agents. @param started ends the agents.
 */
export async function addPrintingComputers(
  api: Pick<Api, 'get' | 'post'>,
  addresses: string[],
  count: number,
  started: AsyncDisposableStack,
): Promise<{ agents: LightAgent[]; printerIds: string[] }> {
  const agents: LightAgent[] = []
  while (agents.length < count) {
    const { credential } = await enrollComputer(api)
    agents.push(started.adopt(await keepConnected(addresses, credential), (agent) => agent.close()))
  }
  const printerIds = await waitFor(async () => {
    const { data } = expectStatus(200, await api.get('/v1/printers?limit=100'))
    if (data.length < count) throw new Error(`${data.length} printers`)
    return data.map(({ id }: { id: string }): string => id)
  })
  return { agents, printerIds }
}

/** Adds an organization with one computer, whose printer prints at once. @param hears callbacks of its agent. */
export async function addPrintingOrganization(
  system: System,
  { mode = 'live', ...hears }: { mode?: 'live' | 'test' } & Parameters<typeof connectLightAgent>[2] = {},
) {
  const organization = await system.addOrganization({ mode })
  const agent = await connectLightAgent(system.agentAddress, organization.credential, hears)
  const api = createApi(system.baseUrl, organization.key)
  return { ...organization, agent, api, printerId: (await api.printer('Bench')).id }
}
