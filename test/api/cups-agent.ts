/** An agent that prints on a CUPS of a test. */
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startAgent } from '../chaos/agents.ts'
import { enrollComputer } from '../harness/enroll-computer.ts'
import { agentAddress, type Organization } from './installation.ts'

/** Until the end of the test. */
export async function useCupsAgent({ id, api }: Organization, directory: string, cups: { server: string }) {
  const { computerId, credential } = await enrollComputer(api)
  const files = { name: 'agent', organizationId: id, computerId, directory: join(directory, 'agent') }
  const agent = await startAgent({
    ...{ ...files, logFile: join(directory, 'log') },
    config: { agentUrl: `http://${agentAddress}`, credential, spooler: 'system' },
    env: { CUPS_SERVER: cups.server },
    onEnd: (how) => expect.fail(`agent: ${how}`),
  })
  onTestFinished(agent.stop)
  return agent
}
