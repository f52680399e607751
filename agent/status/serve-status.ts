/**
 * What the running agent says of itself to the commands of the same computer: whoever connects to a socket in the data directory is told
 * once, as JSON. A socket is as alive as its agent, and costs nothing while nobody asks. Printing does not need it.
 */
import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Agent } from '../agent.ts'
import type { JournalSummary } from '../journal/summary.ts'
import manifest from '../package.json' with { type: 'json' }

export interface Status {
  pid: number
  agentVersion: string
  /** Times are ISO 8601. */
  startedAt: string
  connection: { state: Agent['connection']['state']; since: string; computerId?: string; reason?: string }
  journal: JournalSummary
}

/**
 * Called by who holds the journal's lock: a socket that a killed agent has left is nobody's.
 *
 * @param address see `statusAddressOf`.
 * @returns what takes it away.
 */
export function serveStatus(agent: Agent, address: string): () => void {
  const startedAt = new Date().toISOString()
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(JSON.stringify(toStatus(agent, startedAt)))
  })
  server.on('error', (error) => agent.log.warn({ err: error }, 'this agent cannot be asked for its status'))
  if (process.platform !== 'win32') rmSync(address, { force: true })
  server.listen(address, () => {
    if (process.platform !== 'win32') chmodSync(address, 0o600)
  })
  server.unref()
  return () => server.close()
}

function toStatus({ connection, journal }: Agent, startedAt: string): Status {
  return {
    pid: process.pid,
    agentVersion: manifest.version,
    startedAt,
    connection: { ...connection, since: connection.since.toISOString() },
    journal: journal.summary(),
  }
}
