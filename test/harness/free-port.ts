/**
 * Ports for the servers of tests. Who picks a free port at random and lets it go may pick it twice before anybody listens there, so
 * each worker walks through a block that it has to itself.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what the launcher chooses from, and below what systems give to outgoing connections. */
const FIRST_PORT = 10_000
const BLOCKS = 20
const BLOCK_SIZE = 500

/** Workers of one run have different numbers, from 1 on, and one parent; those of another run on this machine have another one. */
const block = (Number(process.env.VITEST_POOL_ID ?? 0) + process.ppid) % BLOCKS
/** Two runs may have the same blocks all the same. */
let next = Math.floor(Math.random() * BLOCK_SIZE)

/** On loopback; not given again before a whole block of others was. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK_SIZE; tries++) {
    const port = FIRST_PORT + block * BLOCK_SIZE + (next++ % BLOCK_SIZE)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port in the ${BLOCK_SIZE} of block ${block}: end the programs that hold them`)
}

/** One for each name, all different. */
export async function freePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const ports: [Name, number][] = []
  for (const name of names) ports.push([name, await freePort()])
  return Object.fromEntries(ports) as Record<Name, number>
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
