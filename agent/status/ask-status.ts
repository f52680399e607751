/** Queries the status of the agent that runs with a data directory. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { withSocketPath } from './socket-path.ts'
import type { Status } from './status.ts'

const TIMEOUT_MS = 3_000

/** A socket in the data directory, which only its owner can access; on Windows a named pipe. */
export function getStatusAddress(dataDir: string): string {
  const path = resolve(dataDir)
  if (process.platform !== 'win32') return join(path, 'agent.sock')
  return `\\\\.\\pipe\\platen-agent-${createHash('sha256').update(path.toLowerCase()).digest('hex').slice(0, 32)}`
}

/** @returns undefined if no agent runs with this directory. @throws Error if the agent does not respond. */
export async function askStatus(dataDir: string): Promise<Status | undefined> {
  const socket = withSocketPath(getStatusAddress(dataDir), (path) => connect(path))
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the agent does not respond')))
  try {
    return JSON.parse(await text(socket))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED'))
      return undefined
    throw error
  }
}
