/** The directory that holds all of an installation's data. Made at the first start, found again at the next. */
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

const FREE_MINIMUM_BYTES = 500 * 1024 * 1024

export interface DataDirectory {
  path: string
  logs: string
  postgres: string
  nats: string
  files: string
  testComputers: string
  /** E-mails, where no server is named for them. */
  mailbox: string
  /** Names of files: passwords between the processes, keys for people, the processes that run now. */
  secretsFile: string
  credentialsFile: string
  runFile: string
}

/** @throws StartupError when it cannot be written or its disk is nearly full. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const directory: DataDirectory = {
    path,
    logs: join(path, 'logs'),
    postgres: join(path, 'postgres'),
    nats: join(path, 'nats'),
    files: join(path, 'files'),
    testComputers: join(path, 'test-computers'),
    mailbox: join(path, 'mailbox'),
    secretsFile: join(path, 'secrets.json'),
    credentialsFile: join(path, 'credentials.json'),
    runFile: join(path, 'run.json'),
  }
  try {
    const { logs, nats, files, testComputers, mailbox } = directory
    for (const each of [path, logs, nats, files, testComputers, mailbox])
      await mkdir(each, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartupError(
      `The data directory ${path} cannot be used (${codeOf(error)}): correct its rights, or choose another with PLATEN_DATA_DIR.`,
    )
  }
  const { bavail, bsize } = await statfs(path)
  if (bavail * bsize < FREE_MINIMUM_BYTES)
    throw new StartupError(
      `The disk of ${path} is nearly full: free at least 500 MB on it, or choose another data directory with PLATEN_DATA_DIR.`,
    )
  return directory
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  throw error
}
