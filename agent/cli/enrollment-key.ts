/**
 * The key of an enrolment in the data directory, by which the service recognizes a repetition of a request whose
 * response was lost. Reference: docs/reference/agents.md#enrollment.repeated.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { getRemedy } from '../disk-errors.ts'
import { makePrivateDirectory } from '../private-directory.ts'
import { replaceFileDurably } from '../replace-file.ts'

const getPath = (dataDir: string) => join(dataDir, 'enrollment-key')

const KEY = /^[\w-]{43}$/

/**
 * Creates the data directory if necessary. The key is always written, by the same steps as `agent.json`: a directory
 * that cannot keep the credential costs no token.
 *
 * @param warn see `replaceFileDurably`.
 * @returns the key for this token and server, which is the same until `deleteEnrollmentKey`.
 * @throws ConfigError if the directory cannot be used.
 */
export function openEnrollmentKey(
  dataDir: string,
  { token, serverUrl }: { token: string; serverUrl: string },
  warn: (sentence: string) => void,
): string {
  const secret = storeSecret(dataDir, warn)
  return createHash('sha256').update(`${secret} ${serverUrl} ${token}`).digest('base64url')
}

function storeSecret(dataDir: string, warn: (sentence: string) => void): string {
  try {
    makePrivateDirectory(dataDir)
    const path = getPath(dataDir)
    const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const secret = KEY.test(stored) ? stored : randomBytes(32).toString('base64url')
    replaceFileDurably(path, secret, warn)
    if (readFileSync(path, 'utf8') !== secret) throw new Error('a file in it has lost its content')
    return secret
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The data directory ${dataDir} is not writable: ${reason}. ${getRemedy(error)}`, {
      cause: error,
    })
  }
}

/** Does not throw, because the file is of no use after an enrolment. */
export function deleteEnrollmentKey(dataDir: string, warn: (sentence: string) => void): void {
  try {
    rmSync(getPath(dataDir), { force: true })
  } catch (error) {
    warn(`${(error as Error).message}. Delete the file.`)
  }
}
