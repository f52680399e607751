/**
 * Ports for servers of tests. A random free port can be chosen twice before a server listens on it, so each worker iterates over a block
 * of its own.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range of the launcher and the ephemeral ports of operating systems. */
const FIRST_PORT = 10_000
/** `fetch` refuses it. Source: the Fetch standard, bad ports. */
const BAD_PORT = 10_080
const BLOCKS = 20
const BLOCK_SIZE = 500

/** Differs between workers of a run (number) and usually between runs (parent process). */
const block = (Number(process.env.VITEST_POOL_ID ?? 0) + process.ppid) % BLOCKS
/** Checks the port, because two runs can have the same block. */
let next = Math.floor(Math.random() * BLOCK_SIZE)

/** On loopback. Reused only after all other ports of the block. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK_SIZE; tries++) {
    const port = FIRST_PORT + block * BLOCK_SIZE + (next++ % BLOCK_SIZE)
    if (port !== BAD_PORT && (await isFree(port))) return port
  }
  throw new Error(`all ${BLOCK_SIZE} ports of block ${block} are in use; stop the programs that use them`)
}

/** One distinct port per name. */
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
