/** Runs all checks, from the local disk to the service. Changes nothing and does not affect a running agent. */
import { type AgentConfig, getConfigPath, isReadableByOthers, readConfig } from '../config.ts'
import { examineAgent } from './agent.ts'
import { examineCertificate } from './certificate.ts'
import { examineDisk } from './disk.ts'
import { examineNames } from './dns.ts'
import { type Finding, ok, problem, runCheck } from './finding.ts'
import { examineServer } from './server.ts'
import { examineSpooler } from './spooler.ts'
import { examineStream } from './stream.ts'

/** Checks are ordered by dependency. Checks that need a valid configuration are skipped without one. */
export async function* examine(dataDir: string): AsyncGenerator<Finding> {
  const read: { config?: AgentConfig } = {}
  yield* await runCheck('enrolment', async () => {
    read.config = await readConfig(getConfigPath(dataDir))
    return [await examineConfig(dataDir, read.config)]
  })
  yield* await runCheck('disk', () => examineDisk(dataDir))
  const { config } = read
  if (config) {
    yield* await runCheck('DNS', () => examineNames(config))
    yield* await runCheck('server', () => examineServer(config))
    yield* await runCheck('TLS', () => examineCertificate(config))
    yield* await runCheck('stream', () => examineStream(config))
    yield* await runCheck('agent', () => examineAgent(dataDir))
  }
  yield* await runCheck('spooler', () => examineSpooler(dataDir, config))
}

async function examineConfig(dataDir: string, { serverUrl, agentUrl }: AgentConfig): Promise<Finding> {
  const path = getConfigPath(dataDir)
  if (await isReadableByOthers(path))
    return problem('enrolment', `${path} contains the credential and can be read by other users. Run chmod 600 on it.`)
  return ok('enrolment', `This computer is enrolled at ${serverUrl ?? agentUrl}.`)
}
