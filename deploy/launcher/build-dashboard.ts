/**
 * Builds the dashboard if its sources differ from those of the last build. Called by `npm start`; run as a program by the container image.
 * Imports nothing but Node, so that the image needs only the packages of the build.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../install/paths.mjs'

const WORKSPACE = join(root, 'services/dashboard')
/** The limits and states that the dashboard imports. */
const RESOURCES = join(root, 'services/resources')
const IGNORED = ['dist/**', 'src/api/gen/**', 'tests/**', 'node_modules/**', 'README.md']

/** One directory for each build, named by the hash of its sources. */
const BUILDS = join(WORKSPACE, 'dist')

/**
 * Installations of one clone can start at the same time, so each build gets its name when it is complete.
 *
 * @param print for the output of the build.
 * @returns the value of `PLATEN_DASHBOARD_DIR`, or undefined after a failed build, which is printed.
 */
export async function buildDashboard(print: (text: string) => void): Promise<string | undefined> {
  const name = hashSources()
  const built = join(BUILDS, name)
  if (existsSync(built)) return built
  print('Building the dashboard …')
  const unfinished = join(BUILDS, `unfinished-${process.pid}`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const build = spawn(
    process.execPath,
    [vite, 'build', '--logLevel', 'warn', '--outDir', join(unfinished, 'app'), WORKSPACE],
    { cwd: WORKSPACE, env: { ...process.env, NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [output, errors, [code]] = await Promise.all([text(build.stdout), text(build.stderr), once(build, 'exit')])
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    print(`The dashboard could not be built, so Platen starts without it:\n${output}${errors}`)
    return undefined
  }
  print(output.trimEnd())
  for (const other of readdirSync(BUILDS))
    if (!other.startsWith('unfinished-')) rmSync(join(BUILDS, other), { recursive: true, force: true })
  renameSync(unfinished, built)
  return built
}

/** Of everything that the build reads. */
function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'tsconfig.json']) hash.update(readFileSync(join(root, file)))
  for (const folder of [WORKSPACE, RESOURCES])
    for (const file of globSync('**/*', { cwd: folder, exclude: IGNORED }).toSorted()) {
      const path = join(folder, file)
      if (statSync(path).isFile()) hash.update(`\0${file}\0`).update(readFileSync(path))
    }
  return hash.digest('hex').slice(0, 16)
}

if (import.meta.main && !(await buildDashboard(console.log))) process.exitCode = 1
