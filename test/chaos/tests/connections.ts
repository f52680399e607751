/** Which TCP connections this machine has, as Linux tells it. Used to show that nothing passes beside the proxies. */
import { readdir, readFile, readlink } from 'node:fs/promises'

const ESTABLISHED = '01'

/** 127.0.0.1, as the kernel writes it. */
const LOOPBACK = '0100007F'

/** @returns the ports of 127.0.0.1 that somebody other than this process is connected to. */
export async function portsReachedByOthers(): Promise<Set<number>> {
  const before = await ownSockets()
  const table = await readFile('/proc/net/tcp', 'utf8')
  // What was opened or closed meanwhile is in one of the two.
  const own = new Set([...before, ...(await ownSockets())])
  const [, ...lines] = table.trim().split('\n')
  const ports = new Set<number>()
  for (const line of lines) {
    const [, , remote = '', state, , , , , , inode] = line.trim().split(/\s+/)
    const [address, port = ''] = remote.split(':')
    if (address === LOOPBACK && state === ESTABLISHED && !own.has(inode)) ports.add(Number.parseInt(port, 16))
  }
  return ports
}

/** @returns their inodes. */
async function ownSockets(): Promise<Set<string | undefined>> {
  const own = new Set<string | undefined>()
  for (const descriptor of await readdir('/proc/self/fd')) {
    // One of them was the listing itself.
    const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '')
    own.add(/^socket:\[(\d+)\]$/.exec(target)?.[1])
  }
  return own
}
