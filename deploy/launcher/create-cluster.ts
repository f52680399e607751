/** Creates the data directory of PostgreSQL with Platen's database. Called at the first start. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findPostgres, giveToPostgres, runIn } from './postgres-binaries.ts'
import { StartupError } from './startup-error.ts'

/** The database and the role that owns it. */
export const PLATEN = 'platen'

/** Beside the data directory, which must be empty. */
const PASSWORD_FILE = 'password'

/**
 * Works in a temporary directory beside the final one, so that an existing final directory is complete. Removes the
 * directories of interrupted runs.
 *
 * @throws StartupError with the error message of PostgreSQL.
 */
export async function createCluster(directory: string, password: string, stopping?: AbortSignal): Promise<void> {
  const { initdb, postgres } = await findPostgres()
  const parent = dirname(directory)
  const prefix = `${basename(directory)}.new-`
  for (const name of await readdir(parent))
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true })

  const fresh = join(parent, `${prefix}${process.pid}`)
  const data = join(fresh, 'data')
  const passwordFile = join(fresh, PASSWORD_FILE)
  await mkdir(data, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  giveToPostgres(fresh, data, passwordFile)
  const runInData = (program: string, args: (path: string) => string[], input = '') =>
    run(directory, program, runIn(data, args), input, stopping)
  await runInData(initdb, initdbArguments)
  await runInData(postgres, (path) => ['--single', '-D', path, 'template1'], `CREATE DATABASE ${PLATEN}\n`)
  await rename(data, directory)
  await rm(fresh, { recursive: true })
}

/** The collation provider is PostgreSQL, so that changes of system libraries cannot break indexes. */
function initdbArguments(path: string): string[] {
  return [
    `--pgdata=${path}`,
    `--username=${PLATEN}`,
    `--pwfile=${path}/../${PASSWORD_FILE}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ]
}

async function run(
  directory: string,
  program: string,
  { args, ...options }: ReturnType<typeof runIn>,
  input: string,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'], signal: stopping })
  let cause = ''
  const setCause = (error: Error) => {
    cause = error.message
  }
  // EPIPE after an early exit is less specific than the output of the program.
  child.once('error', setCause).stdin.on('error', setCause).end(input)
  const [output, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  stopping?.throwIfAborted()
  if (code === 0) return
  const message =
    output
      .trim()
      .split('\n')
      .findLast((line) => /error|FATAL|could not/.test(line)) ??
    (output.trim() || cause)
  throw new StartupError(`PostgreSQL could not initialize ${directory}: ${message}`)
}
