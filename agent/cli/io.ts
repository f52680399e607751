/** What commands use of their process beside files, sockets and the environment. */
import { type DestinationStream, pino } from 'pino'
import { EXIT } from './exit-codes.ts'

export interface Io {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Where `run` writes its log. */
  openLog(): DestinationStream
  /** Calls `stop` with a reason when the agent has to stop. */
  onStop(stop: (reason: string) => void): void
  /** The agent is connected for the first time. */
  ready(): void
}

/** A stop never takes longer; service managers kill a little later. */
const STOP_TIMEOUT_MS = 4_800

export const processIo: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  openLog: () => pino.destination({ fd: 1, sync: true }),
  onStop(stop) {
    const stopFor = (reason: string) => {
      setTimeout(() => process.exit(EXIT.failed), STOP_TIMEOUT_MS).unref()
      stop(reason)
    }
    process.once('SIGTERM', () => stopFor('SIGTERM'))
    process.once('SIGINT', () => stopFor('SIGINT'))
    process.once('disconnect', () => stopFor('the parent process is gone'))
  },
  ready: () => process.send?.({ ready: true }),
}
