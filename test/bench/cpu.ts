/** CPU time and memory of processes, as Linux counts them. */
import { readdir, readFile } from 'node:fs/promises'
import type { Figures } from './report.ts'

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const TICK_US = 10_000

/** Microseconds that each process, with its children, has computed. */
export const cpuMicroseconds = (pids: Record<string, number>): Promise<Figures> => sumWithChildren(pids, readCpu)

/**
 * MB of each process with its children. PSS divides a shared page among its processes, RSS counts it in each of them.
 */
export async function memoryFigures(pids: Record<string, number>): Promise<Figures> {
  const figures: Figures = {}
  for (const kind of ['Pss', 'Rss'])
    for (const [name, kB] of Object.entries(await sumWithChildren(pids, (pid) => readMemory(pid, kind))))
      figures[`${kind.toUpperCase()} MB, ${name}`] = Math.round(kB / 1024)
  return figures
}

/** Children that have a name of their own count there only. */
async function sumWithChildren(pids: Record<string, number>, read: (pid: number) => Promise<number>) {
  const parents = await readParents()
  for (const pid of Object.values(pids)) parents.delete(pid)
  const entries = Object.entries(pids).map(async ([name, pid]) => {
    const children = [...parents].filter(([, parent]) => parent === pid).map(([child]) => child)
    const all = await Promise.all([pid, ...children].map(read))
    return [name, all.reduce((sum, value) => sum + value, 0)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/**
 * Microseconds that all processors have computed, also for other programs and, on a virtual machine, for other
 * machines.
 */
export async function machineMicroseconds(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) * TICK_US
}

export async function rssBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function readMemory(pid: number, kind: string): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
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

async function readParents(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return new Map(await Promise.all(pids.map(async (pid) => [pid, Number((await readStat(pid))[1])] as const)))
}
