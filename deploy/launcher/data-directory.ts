/** The directory with all data of an installation. Created at the first start. */
import { existsSync } from 'node:fs'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from './startup-error.ts'

const FREE_MINIMUM_BYTES = 500 * 1024 * 1024

/** Below it PostgreSQL can fail to start, because it writes its changes to files of 16 MB. */
const FULL_BYTES = 64 * 1024 * 1024

export interface DataDirectory {
  path: string
  logs: string
  postgres: string
  nats: string
  files: string
  testComputers: string
  /** For e-mails if no mail server is configured. */
  mailbox: string
  /** Files with the passwords between processes, the API keys and the running processes. */
  secretsFile: string
  credentialsFile: string
  runFile: string
}

/** @throws StartupError if it is not writable or its disk is nearly full. */
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
    for (const each of [path, logs, nats, files, testComputers, mailbox]) await makeDirectory(each)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartupError(
      `The data directory ${path} cannot be used (${getCode(error)}). Correct its permissions or choose another one with PLATEN_DATA_DIR.`,
    )
  }
  if ((await getFreeBytes(path)) < FREE_MINIMUM_BYTES)
    throw new StartupError(
      `The disk of ${path} is nearly full. Free at least 500 MB or choose another data directory with PLATEN_DATA_DIR.`,
    )
  return directory
}

/** Whether processes end because of the disk. False if it cannot be examined, which has another cause. */
export const isDiskFull = ({ path }: Pick<DataDirectory, 'path'>): Promise<boolean> =>
  getFreeBytes(path).then(
    (bytes) => bytes < FULL_BYTES,
    () => false,
  )

async function getFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

/**
 * Creates the directory and its parents. Node's `recursive` never returns below /proc, where no directory can be
 * created.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (getCode(error) === 'EEXIST') return
    if (getCode(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    await makeDirectory(dirname(path))
    await makeDirectory(path)
  }
}

function getCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  throw error
}
