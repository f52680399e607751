/**
 * Standard output as the destination of the log. Lines wait while it cannot be written, for example on a full disk, and
 * are dropped above a limit: a process must not end, wait or grow because of its log. A line with the number of dropped
 * ones follows.
 *
 * `pino.destination` ends the process at the first error, keeps lines without a limit, and retries at the exit for
 * ever.
 */
import { write, writeSync } from 'node:fs'

/** Characters of lines that wait. */
const WAITING_MAX = 1024 * 1024
const RETRY_MS = 100

/** @param descriptor 1: standard output, 2: standard error. */
export function openLogOutput(descriptor: 1 | 2): { write(line: string): void } {
  let waiting = ''
  let dropped = 0
  let isWriting = false
  /** The rest of a failed write until it is repeated. */
  let failed = Buffer.alloc(0)

  function writeNext(): void {
    isWriting = waiting !== ''
    if (!isWriting) return
    const bytes = Buffer.from(waiting)
    waiting = ''
    writeAll(bytes)
  }

  function writeAll(bytes: Buffer<ArrayBuffer>): void {
    failed = Buffer.alloc(0)
    write(descriptor, bytes, (error, written) => {
      if (error) {
        failed = bytes
        setTimeout(writeAll, RETRY_MS, bytes).unref()
      } else if (written < bytes.length) writeAll(bytes.subarray(written))
      else {
        if (dropped > 0) waiting += toReport(dropped)
        dropped = 0
        writeNext()
      }
    })
  }

  process.on('exit', () => {
    try {
      writeSync(descriptor, Buffer.concat([failed, Buffer.from(waiting)]))
    } catch {
      // The process ends in any case.
    }
  })
  return {
    write(line) {
      if (waiting.length + line.length > WAITING_MAX) dropped++
      else waiting += line
      if (!isWriting) writeNext()
    },
  }
}

const toReport = (dropped: number) =>
  `${JSON.stringify({
    level: 'warn',
    time: new Date().toISOString(),
    name: 'log',
    pid: process.pid,
    dropped_lines: dropped,
    msg: 'lines of the log are missing, because it could not be written',
  })}\n`
