/**
 * The part of an agent that sends jobs to a printer, as a process that ends itself by SIGKILL at one moment: nothing
 * more is written, neither to the printer nor to the disk. Started by `kill-trial.ts`, which continues with the
 * directory as the next process of an agent does.
 */
import { Socket } from 'node:net'
import { type Ended, readClock, type Sending } from './kill-moment.ts'
import { openSpooler } from './spooler.ts'

const die = () => process.kill(process.pid, 'SIGKILL')
const send = (ended: Ended) => void process.send?.(ended)
const dieAfter = (ms: number) => void setTimeout(die, ms)

let bytesLeft = Number.POSITIVE_INFINITY
let onLastByte: () => void = die

/** Counts what is written to the printer, and cuts the write in which the moment is. */
function watchWrites(): void {
  const { write } = Socket.prototype
  Socket.prototype.write = function (this: Socket, ...parameters: unknown[]) {
    const bytes = Buffer.from(parameters[0] as Buffer)
    const fitting = bytes.subarray(0, bytesLeft)
    bytesLeft -= fitting.length
    const isLast = bytesLeft === 0
    const result = write.call(this, isLast && onLastByte === die ? fitting : bytes)
    if (isLast) [bytesLeft] = [Number.POSITIVE_INFINITY, onLastByte()]
    return result
  }
}

async function run({ dir, devices, submissions, kill }: Sending): Promise<void> {
  watchWrites()
  const spooler = openSpooler(dir, devices, (device) => ({
    ...device,
    print: (job, printing) =>
      device.print(job, {
        ...printing,
        async begin() {
          if (job.token !== kill.token) return await printing.begin()
          if (kill.moment === 'asked') die()
          await printing.begin()
          if (kill.moment === 'begun') die()
          if (kill.moment === 'time' || kill.moment === 'asked') return
          bytesLeft = kill.bytes
          if (kill.moment === 'followed') onLastByte = () => dieAfter(kill.afterMs)
        },
      }),
  }))
  spooler.start?.()
  const ids = await Promise.all(submissions.map(async (one) => (await spooler.submitHeld(one)).spoolerJobId))
  for (const id of ids) await spooler.release(id)
  if (kill.moment === 'time') dieAfter(kill.afterMs)
  await Promise.all(
    ids.map(async (id, index) => {
      for await (const state of spooler.watch(id, AbortSignal.timeout(30_000)))
        if (state.is === 'completed' || state.is === 'aborted')
          send({ token: submissions[index]?.token ?? '', atMs: readClock() })
    }),
  )
}

await run(JSON.parse(process.argv[2] ?? ''))
