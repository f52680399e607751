/** The ports of one start: those that people chose are checked, the others are chosen. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from './settings.ts'
import { StartupError } from './startup-error.ts'

/**
 * Systems give outgoing connections a port from 32768 on. A port below stays free while its process restarts. It is some seconds
 * until a chosen port is listened on, so launchers that start side by side choose from blocks of their own, by their pids.
 */
const CHOICE = { from: 20_000, blocks: 100, blockSize: 100 }

/** @throws StartupError that names the variable to change. */
export async function checkPorts({ host, port, agentPort }: Settings): Promise<void> {
  await checkPort(host, port, 'PLATEN_PORT')
  await checkPort(host, agentPort, 'PLATEN_AGENT_PORT')
}

async function checkPort(host: string | undefined, port: number, variable: string): Promise<void> {
  const failure = await tryListen(port, host)
  if (failure === undefined) return
  if (failure === 'EADDRINUSE')
    throw new StartupError(
      `Port ${port} is in use by another program: stop that, or choose another port with ${variable}=${port + 1}.`,
    )
  if (failure === 'EACCES')
    throw new StartupError(`Port ${port} needs more rights than you have: choose one above 1023 with ${variable}.`)
  throw new StartupError(`Cannot listen on port ${port} of ${host} (${failure}): correct PLATEN_HOST.`)
}

/** A free port on loopback for each name, all different. */
export async function chooseFreePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const chosen = new Set<number>()
  const block = CHOICE.from + (process.pid % CHOICE.blocks) * CHOICE.blockSize
  const start = Math.floor(Math.random() * CHOICE.blockSize)
  for (let tries = 0; chosen.size < names.length; tries++) {
    if (tries === CHOICE.blockSize)
      throw new StartupError(`No free port found from ${block} on: stop programs that hold them.`)
    const port = block + ((start + tries) % CHOICE.blockSize)
    if ((await tryListen(port, '127.0.0.1')) === undefined) chosen.add(port)
  }
  const ports = [...chosen]
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>
}

/** @returns the code of the failure. */
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
