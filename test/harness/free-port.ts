/**
 * Ports for servers of tests. A server of a test gives up its port and takes it back later, so a port belongs to one
 * process of all runs on the computer, not only while a server listens on it: each process takes a block of ports that
 * no other process has.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the range of the launcher and the ephemeral ports of operating systems. */
const FIRST_PORT = 10_000
/** `fetch` refuses it. Source: the Fetch standard, bad ports. */
const BAD_PORT = 10_080
const BLOCKS = 50
const BLOCK_SIZE = 200

/** First port of the block of this process. */
let ownBlock: Promise<number> | undefined
let next = 0

/** On loopback. Reused only after all other ports of the block. */
export async function freePort(): Promise<number> {
  ownBlock ??= takeBlock()
  const first = await ownBlock
  for (let tries = 1; tries < BLOCK_SIZE; tries++) {
    const port = first + 1 + (next++ % (BLOCK_SIZE - 1))
    if (port !== BAD_PORT && (await isFree(port))) return port
  }
  throw new Error(`all ports from ${first} to ${first + BLOCK_SIZE - 1} are in use; stop the programs that use them`)
}

/** One distinct port per name. */
export async function freePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const ports: [Name, number][] = []
  for (const name of names) ports.push([name, await freePort()])
  return Object.fromEntries(ports) as Record<Name, number>
}

/** Listens on the first port of a block until the process ends, and returns that port. */
async function takeBlock(): Promise<number> {
  const start = Math.floor(Math.random() * BLOCKS)
  for (let tries = 0; tries < BLOCKS; tries++) {
    const first = FIRST_PORT + ((start + tries) % BLOCKS) * BLOCK_SIZE
    const server = await listen(first)
    if (server) {
      server.unref()
      return first
    }
  }
  throw new Error(`all ${BLOCKS} blocks of ports from ${FIRST_PORT} are in use; stop the programs that use them`)
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (!server) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Returns nothing if another server listens on the port. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
  return server
}
