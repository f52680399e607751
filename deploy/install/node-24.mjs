/**
 * Checks for Node 24, which runs TypeScript by type stripping. On machines with an older version, the npm package `node` provides it on the
 * PATH of npm scripts. It is an optional dependency because it does not support every system.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InstallError } from './install-error.mjs'
import { root } from './paths.mjs'
import { CommandFailed, run } from './run.mjs'

const MAJOR_MIN = 24

/** @throws InstallError if the `node` of npm scripts is too old. */
export async function checkNode() {
  if (parseMajor(process.version) >= MAJOR_MIN) return
  if (parseMajor(await packagedVersion()) >= MAJOR_MIN) return
  throw new InstallError(
    `Platen requires Node ${MAJOR_MIN} or newer, but this is ${process.version}. Install it from https://nodejs.org, then run \`npm start\` again.`,
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

/** @param {string} version for example "v24.21.0". @returns 0 for an invalid version. */
function parseMajor(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)
}
