/** Creates the data directory of PostgreSQL with Platen's database. Called at the first start. */
import { spawn } from 'node:child_process'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { asOrdinaryUser, findPostgres } from './postgres-binaries.ts'
import { StartupError } from './startup-error.ts'

/** The database and the role that owns it. */
export const PLATEN = 'platen'

/**
 * Works in a temporary directory beside the final one, so that an existing final directory is complete. Removes the directories of
 * interrupted runs.
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
  const passwordFile = `${fresh}.password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  try {
    await run(directory, initdb, initdbArguments(fresh, passwordFile), '', stopping)
  } finally {
    await rm(passwordFile)
  }
  await run(directory, postgres, ['--single', '-D', fresh, 'template1'], `CREATE DATABASE ${PLATEN}\n`, stopping)
  await rename(fresh, directory)
}

/** The collation provider is PostgreSQL, so that changes of system libraries cannot break indexes. */
function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${PLATEN}`,
    `--pwfile=${passwordFile}`,
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
  programArgs: string[],
  input: string,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const { command, args } = asOrdinaryUser(program, programArgs)
  const child = spawn(command, args, {
    // The user may have no access to the current directory.
    cwd: dirname(directory),
    env: postgresEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    signal: stopping,
  })
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

export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
}
