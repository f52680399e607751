/** A line of a test: a namespace with the agent, and what slows its packets down on their way to the services. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Line {
  kbitPerSecond: number
  roundTripMs: number
  lossPercent: number
}

/** Has an address of each version. The agent has no route to that of IPv6, so it comes second. */
export const HOST = 'print.test'
export const HOST_ADDRESSES = ['192.0.2.1', '2001:db8::1']

const NAMESPACE = 'agent'
const NAMES = '/run/netns'
const [NEAR, FAR] = ['line0', 'line1']
const LINK = join(import.meta.dirname, 'link.py')

const ip = (args: string) => execFileSync('ip', args.split(' '), { stdio: ['ignore', 'ignore', 'inherit'] })

/** The namespace of the agent, without a line. */
export function addNamespace(): void {
  // Names of namespaces are files, which would outlive this one.
  mkdirSync(NAMES, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'names', NAMES])
  ip('link set lo up')
  ip(`netns add ${NAMESPACE}`)
  ip(`-n ${NAMESPACE} link set lo up`)
}

/** Starts a program in the namespace of the agent. */
export const spawnBehindLine = (command: string[], options: SpawnOptions): ChildProcess =>
  spawn('ip', ['netns', 'exec', NAMESPACE, ...command], options)

/** Until the returned function is called. */
export async function openLine({ kbitPerSecond, roundTripMs, lossPercent }: Line): Promise<() => Promise<void>> {
  const facts = [kbitPerSecond, roundTripMs, lossPercent].map(String)
  const link = spawn('python3', [LINK, NEAR, FAR, ...facts], { stdio: ['ignore', 'pipe', 'inherit'] })
  await Promise.race([
    once(link.stdout, 'data'),
    once(link, 'exit').then(() => Promise.reject(new Error('the program of the line has ended'))),
  ])
  ip(`addr add ${HOST_ADDRESSES[0]}/24 dev ${NEAR}`)
  ip(`link set ${NEAR} up`)
  ip(`link set ${FAR} netns ${NAMESPACE}`)
  ip(`-n ${NAMESPACE} addr add 192.0.2.2/24 dev ${FAR}`)
  ip(`-n ${NAMESPACE} link set ${FAR} up`)
  return async () => {
    const ended = once(link, 'exit')
    link.kill('SIGKILL')
    await ended
  }
}
