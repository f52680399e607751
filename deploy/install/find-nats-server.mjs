/** Finds `nats-server` on this machine. Called by the installation and the launcher. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { toolsDirectory } from './paths.mjs'

/** Directories of packages that may not be on the PATH. */
const USUAL_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']

export const NATS_SERVER = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server'

/** @returns {string | undefined} */
export function findNatsServer(path = process.env.PATH ?? '') {
  const onPath = path.split(delimiter).filter((directory) => directory !== '')
  return [...onPath, ...USUAL_DIRECTORIES, toolsDirectory]
    .map((directory) => join(directory, NATS_SERVER))
    .find(isProgram)
}

/** Directories on the PATH may be missing or not accessible. */
const NOT_FOUND = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP']

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch (error) {
    if (NOT_FOUND.includes(error.code)) return false
    throw error
  }
}
