import { askStatus } from '../status/ask-status.ts'
import { type Finding, ok, problem } from './finding.ts'

export async function examineAgent(dataDir: string): Promise<Finding[]> {
  const running = await askStatus(dataDir)
  if (!running) return [problem('agent', 'The agent is not running. Start it with `platen-agent run`, or its service.')]
  const { state, since, reason } = running.connection
  if (state === 'connected') return [ok('agent', `The agent is running and connected since ${since}.`)]
  const cause = reason === undefined ? '' : ` Cause: ${reason}`
  return [
    problem('agent', `The agent is running and not connected since ${since}. It reconnects automatically.${cause}`),
  ]
}
