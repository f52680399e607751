/** The newest log lines in the data directory, for `platen-agent support-bundle`: two files of limited size. */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const FILE_MAX_BYTES = 2 * 1024 * 1024

const getPaths = (dataDir: string) => [join(dataDir, 'agent.log.1'), join(dataDir, 'agent.log')] as const

/**
 * @returns a destination for pino. Lines are written synchronously. Write errors, for example a full disk, are ignored.
 */
export function openLogFile(dataDir: string, maxBytes = FILE_MAX_BYTES): { write(line: string): void } {
  const [older, path] = getPaths(dataDir)
  let file = openSync(path, 'a', 0o600)
  let sizeBytes = fstatSync(file).size

  return {
    write(line) {
      try {
        if (sizeBytes > maxBytes) {
          // Missing if the last attempt to open the new file failed.
          if (existsSync(path)) renameSync(path, older)
          const descriptor = openSync(path, 'a', 0o600)
          // Closed after the switch, because a closed descriptor number is reused soon.
          closeSync(file)
          file = descriptor
          sizeBytes = 0
        }
        sizeBytes += writeSync(file, line)
      } catch {
        // Standard output also receives the line.
      }
    },
  }
}

/** A line with this field is for people at the computer: diagnostics for the dashboard leave it out. */
export const LOCAL_ONLY = 'isLocalOnly'

/** The last log lines, oldest first. */
export function readLastLines(dataDir: string, max: number): string[] {
  return getPaths(dataDir)
    .flatMap((path) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []))
    .filter((line) => line !== '')
    .slice(-max)
}
