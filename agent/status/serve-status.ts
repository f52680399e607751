/**
 * Serves the status of the running agent to local commands: each connection to the socket receives one JSON document.
 * The socket exists exactly while the agent runs. Printing does not depend on it: what the file system of the data
 * directory refuses is a warning.
 */
import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Agent } from '../agent.ts'
import manifest from '../package.json' with { type: 'json' }
import { withSocketPath } from './socket-path.ts'
import type { Status } from './status.ts'

/**
 * Called after the journal was locked, so an existing socket is a leftover of a killed agent.
 *
 * @param address see `getStatusAddress`.
 * @returns a function that closes the socket.
 */
export function serveStatus(agent: Agent, address: string): () => void {
  const startedAt = new Date().toISOString()
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(JSON.stringify(toStatus(agent, startedAt)))
  })
  const attempt = (step: () => void) => {
    try {
      step()
    } catch (error) {
      warn(error)
    }
  }
  const warn = (error: unknown) => agent.log.warn({ err: error }, 'status socket failed')
  const remove = () => attempt(() => process.platform !== 'win32' && rmSync(address, { force: true }))
  server.on('error', warn)
  server.on('listening', () => attempt(() => process.platform !== 'win32' && chmodSync(address, 0o600)))
  remove()
  attempt(() => withSocketPath(address, (path) => server.listen(path)))
  server.unref()
  return () => {
    server.close()
    remove()
  }
}

function toStatus({ connection, journal, spooler }: Agent, startedAt: string): Status {
  const { code, message } = spooler.problem?.() ?? {}
  return {
    pid: process.pid,
    agentVersion: manifest.version,
    startedAt,
    connection: { ...connection, since: connection.since.toISOString() },
    journal: journal.summary(),
    ...(code && message && { spoolerProblem: { code, message } }),
  }
}
