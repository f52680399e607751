/**
 * Platen runs on Node 24, whose own type stripping runs its TypeScript. On an older machine the npm package `node` brings it, and
 * npm puts it on the PATH of its scripts. That package has no build for every system, so it is an optional dependency.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InstallError } from './install-error.mjs'
import { root } from './places.mjs'
import { CommandFailed, run } from './run.mjs'

const MAJOR_NEEDED = 24

/** @throws InstallError when the `node` that npm scripts get is too old. */
export async function checkNode() {
  // The `node` that runs this was found on the same PATH as the one that comes after it.
  if (majorOf(process.version) >= MAJOR_NEEDED) return
  if (majorOf(await packagedVersion()) >= MAJOR_NEEDED) return
  throw new InstallError(
    `Platen needs Node ${MAJOR_NEEDED} or newer and this is ${process.version}: install it from https://nodejs.org, then run \`npm start\` again.`,
  )
}

async function packagedVersion() {
  const program = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(program)) return ''
  try {
    return await run(program, ['--version'])
  } catch (error) {
    if (error instanceof CommandFailed) return ''
    throw error
  }
}

/** @param {string} version "v24.21.0"; 0 for anything else. */
function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)
}
