/** CPU time and memory of processes, as Linux counts them. */
import { readdir, readFile } from 'node:fs/promises'

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const TICK_US = 10_000

/** Microseconds that each process, with its children, has computed. */
export async function cpuMicroseconds(pids: Record<string, number>): Promise<Record<string, number>> {
  const entries = Object.entries(pids).map(async ([name, pid]) => {
    const all = await Promise.all([pid, ...(await findChildren(pid))].map(readCpu))
    return [name, all.reduce((sum, us) => sum + us, 0)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Microseconds that all processors have computed, also for other programs and, on a virtual machine, for other machines. */
export async function machineMicroseconds(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) * TICK_US
}

export async function findChildren(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(pids.map(async (child) => Number((await readStat(child))[1])))
  return pids.filter((_, n) => parents[n] === pid)
}

/** The proportional set size: a page that several processes share is divided by their number. 0 after the end of the process. */
export async function pssBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => 'Pss: 0 kB')
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024
}

export async function rssBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Everything after the command, which may hold spaces, begins with the state. */
async function readStat(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

async function readCpu(pid: number): Promise<number> {
  const fields = await readStat(pid)
  // User and system time, and those of children that have ended: backends of PostgreSQL come and go.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks * TICK_US
}
