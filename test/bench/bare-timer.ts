/**
 * How late a process is that only waits for times, as the requests of an open loop do. It shows what the machine
 * withheld from every process meanwhile: the latency of requests contains it, and no software can be faster.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Phase } from './load.ts'
import { percentiles } from './report.ts'

const PROCESS = new URL('bare-process.ts', import.meta.url)

/** Runs a phase beside the process. @param name of its figures. */
export async function besideBareTimer(name: string, run: () => Promise<Phase>): Promise<Phase> {
  const timer = fork(PROCESS)
  try {
    await once(timer, 'message')
    const { jobs, figures } = await run()
    timer.send('end')
    const [late] = (await once(timer, 'message')) as [number[]]
    return { jobs, figures: { ...figures, ...percentiles(`bare timer beside ${name}`, late, [95, 99]) } }
  } finally {
    timer.kill()
  }
}
