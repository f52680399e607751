import { readFile } from 'node:fs/promises'

/** Peak memory of a process since its start. Linux only. */
export async function peakRssBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
