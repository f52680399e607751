/** Errors of files and directories. */

/** @returns the code of Node, such as `EACCES`; empty without one. */
export const getCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const REMEDIES: Record<string, string> = {
  EACCES: 'Run this command as root or as the owner of the directory, or set --data-dir.',
  EPERM: 'Run this command as root or as the owner of the directory, or set --data-dir to a directory on a local disk.',
  ENOSPC: 'Free space on its disk.',
  EDQUOT: 'Free space on its disk, or raise the quota of this user.',
}

/** @returns what the user can do about a data directory that cannot be written. */
export const getRemedy = (error: unknown): string =>
  REMEDIES[getCode(error)] ?? 'Set --data-dir to a directory on a local disk that this user can write.'
