/** Checks the configured ports and chooses the other ports. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from './settings.ts'
import { StartupError } from './startup-error.ts'

/**
 * Outgoing connections use ports from 32768 on. A port below remains free while its process restarts. Concurrent
 * launchers choose from different blocks, by their pids, because some seconds pass before a process listens on a chosen
 * port.
 */
const CHOICE = { from: 20_000, blocks: 100, blockSize: 100 }

/** @throws StartupError with the variable to change. */
export async function checkPorts({ host, port, agentPort }: Settings): Promise<void> {
  await checkPort(host, port, 'PLATEN_PORT')
  await checkPort(host, agentPort, 'PLATEN_AGENT_PORT')
}

async function checkPort(host: string | undefined, port: number, variable: string): Promise<void> {
  const failure = await tryListen(port, host)
  if (failure === undefined) return
  if (failure === 'EADDRINUSE')
    throw new StartupError(
      `Port ${port} is in use by another program. Stop it or choose another port with ${variable}=${port + 1}.`,
    )
  if (failure === 'EACCES')
    throw new StartupError(`Port ${port} requires more permissions. Choose one above 1023 with ${variable}.`)
  throw new StartupError(`Cannot listen on port ${port} of ${host} (${failure}). Correct PLATEN_HOST.`)
}

/** @returns a different free port on loopback for each name. */
export async function chooseFreePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const chosen = new Set<number>()
  const block = CHOICE.from + (process.pid % CHOICE.blocks) * CHOICE.blockSize
  const start = Math.floor(Math.random() * CHOICE.blockSize)
  for (let tries = 0; chosen.size < names.length; tries++) {
    if (tries === CHOICE.blockSize)
      throw new StartupError(
        `The ports from ${block} to ${block + CHOICE.blockSize - 1} are in use. Stop programs that use them.`,
      )
    const port = block + ((start + tries) % CHOICE.blockSize)
    if ((await tryListen(port, '127.0.0.1')) === undefined) chosen.add(port)
  }
  const ports = [...chosen]
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>
}

/** @returns undefined, or the error code if the port is not available. */
async function tryListen(port: number, host: string | undefined): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host })
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
  server.close()
  await once(server, 'close')
  return undefined
}
