/** Makes the directory of a PostgreSQL server, with Platen's database in it. Called at the first start. */
import { spawn } from 'node:child_process'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { asOrdinaryUser, findPostgres } from './postgres-binaries.ts'
import { StartupError } from './startup-error.ts'

/** The role that owns everything, and its database. */
export const PLATEN = 'platen'

/**
 * Works in a directory beside the final one, which therefore is complete if it exists. What an interrupted run has left is removed.
 *
 * @throws StartupError with PostgreSQL's own last line: no space left, no rights.
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
    await runToEnd(directory, initdb, initdbArguments(fresh, passwordFile), '', stopping)
  } finally {
    await rm(passwordFile)
  }
  await runToEnd(directory, postgres, ['--single', '-D', fresh, 'template1'], `CREATE DATABASE ${PLATEN}\n`, stopping)
  await rename(fresh, directory)
}

/** The collation is PostgreSQL's own, so that no change of the system's libraries can break an index. */
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

async function runToEnd(
  directory: string,
  program: string,
  programArgs: string[],
  input: string,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const { command, args } = asOrdinaryUser(program, programArgs)
  const child = spawn(command, args, {
    // Not the current directory, which may be closed to that user.
    cwd: dirname(directory),
    env: postgresEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    signal: stopping,
  })
  let cause = ''
  const note = (error: Error) => {
    cause = error.message
  }
  // A program that ends early closes its input; why it ended it says itself.
  child.once('error', note).stdin.on('error', note).end(input)
  const [said, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  stopping?.throwIfAborted()
  if (code === 0) return
  const why =
    said
      .trim()
      .split('\n')
      .findLast((line) => /error|FATAL|could not/.test(line)) ??
    (said.trim() || cause)
  throw new StartupError(`PostgreSQL could not prepare its data in ${directory}: ${why}`)
}

export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
}
