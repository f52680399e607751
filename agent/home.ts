import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * @returns the home directory of this user; undefined if it has none, for example in a container that runs as a number
 *   without a user.
 */
export function findHome(): string | undefined {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    // The user has neither HOME nor an entry in the list of users.
    return undefined
  }
}
