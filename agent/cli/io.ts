/** The parts of the process that commands use, so that tests can run commands in process. */
import { isatty } from 'node:tty'
import { type DestinationStream, pino } from 'pino'
import { EXIT } from './exit-codes.ts'
import { formatLogLine } from './terminal-log.ts'

export interface Io {
  stdin: NodeJS.ReadableStream
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Opens the output of the log of `run`. */
  openLog(): DestinationStream
  /** Calls `stop` with a reason each time that something asks the agent to stop. */
  onStop(stop: (reason: string) => void): void
  /** Calls the function each time that `platen-agent update` has ended. */
  onUpdate(check: () => void): void
  /** Called when the agent has connected for the first time. */
  ready(): void
}

/**
 * The size of lines that standard output does not accept, for example a file on a full disk. Later lines are dropped.
 */
const UNWRITTEN_LOG_MAX_BYTES = 1024 * 1024

/** The process exits after this time at the latest, before service managers kill it. */
const STOP_TIMEOUT_MS = 4_800

/**
 * From `platen-agent update` to the running agent. It ends an agent of an earlier version, whose service manager starts
 * the new one.
 */
export const UPDATED = 'SIGUSR2'

export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  openLog() {
    const log = pino.destination({ fd: 1, sync: true, maxLength: UNWRITTEN_LOG_MAX_BYTES })
    // Without a listener an error would end the process. The next line writes the unwritten ones first.
    log.on('error', () => undefined)
    return isatty(1) ? { write: (line) => void log.write(formatLogLine(line)) } : log
  },
  onStop(stop) {
    const stopWithTimeout = (reason: string) => {
      setTimeout(() => process.exit(EXIT.failed), STOP_TIMEOUT_MS).unref()
      stop(reason)
    }
    // Without a listener the second signal would end the process at once. After Ctrl-C both the terminal and npm send
    // one.
    process.on('SIGTERM', () => stopWithTimeout('SIGTERM'))
    process.on('SIGINT', () => stopWithTimeout('SIGINT'))
    // A closed terminal ends the agent that runs in it. Node does not keep that `nohup` ignores the signal, but `nohup`
    // leaves no terminal.
    const hasTerminal = [0, 1, 2].some(isatty)
    process.on('SIGHUP', () => {
      if (hasTerminal) stopWithTimeout('SIGHUP')
    })
    process.once('disconnect', () => stopWithTimeout('the parent process ended'))
  },
  onUpdate: (check) => void process.on(UPDATED, check),
  ready: () => process.send?.({ ready: true }),
}
