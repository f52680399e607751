/**
 * Builds the dashboard, the documentation and the packages of the clients, each if its sources differ from those of its
 * last build. Called by `npm start`; run as a program by the container image and by `npm run build:docs`, with the
 * names of the builds. Imports nothing but Node, so that the image needs only the packages of the builds.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { collectPages } from '../../docs/site/collect-pages.ts'
import { root } from '../install/paths.mjs'

interface Build {
  /** For messages: "dashboard". */
  what: string
  /**
   * Relative to the root of the repository. Its `dist` has one directory for each build, named by the hash of its
   * sources.
   */
  workspace: string
  /** All files that the build reads, relative to the root of the repository. */
  listSources(): string[]
  /** The arguments of Node. @param directory of the build. */
  getArguments(directory: string): string[]
}

const list = (pattern: string | string[], ...exclude: string[]) => globSync(pattern, { cwd: root, exclude })

const BUILDS = {
  dashboard: {
    what: 'dashboard',
    workspace: 'services/dashboard',
    listSources: () => {
      const ignored = ['dist/**', 'src/api/gen/**', 'tests/**', 'node_modules/**', 'README.md']
      const own = list('services/dashboard/**/*', ...ignored.map((pattern) => `services/dashboard/${pattern}`))
      // The limits and states that the dashboard imports.
      const resources = list('services/resources/**/*', '**/tests/**', '**/node_modules/**')
      return ['package-lock.json', 'tsconfig.json', 'proto/agent-bounds.ts', ...own, ...resources]
    },
    getArguments: (directory) => [
      ...[join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
      ...['--outDir', join(directory, 'app'), join(root, 'services/dashboard')],
    ],
  },
  docs: {
    what: 'documentation',
    workspace: 'docs/site',
    listSources: () => {
      const { pages, images } = collectPages()
      const imported = ['services/dashboard/build/compress.ts', 'services/resources/example-address.ts']
      const own = list(['docs/site/*', 'docs/site/.vitepress/**/*', ...imported])
      return ['package.json', 'package-lock.json', ...own, ...pages.map(({ source }) => source), ...images.keys()]
    },
    getArguments: (directory) => ['--no-warnings', join(root, 'docs/site/build.ts'), directory],
  },
  clients: {
    what: 'packages of the clients',
    workspace: 'clients',
    listSources: () => {
      const own = list(
        ['clients/*.ts', 'clients/{cli,python,typescript}/**/*.{json,md,py,toml,ts,typed}'],
        ...['**/tests/**', '**/node_modules/**'],
      )
      // The limits and documents that the command line imports, and what builds the packages.
      const resources = list(['services/resources/**/*', 'agent/packages/*.ts'], '**/tests/**', '**/node_modules/**')
      return ['package-lock.json', 'tsconfig.json', 'LICENSE', ...own, ...resources]
    },
    getArguments: (directory) => ['--no-warnings', join(root, 'clients/package-clients.ts'), '--out', directory],
  },
} satisfies Record<string, Build>

type Name = keyof typeof BUILDS

/** @returns the directory of the build of the present sources, which may not exist yet. */
export function getBuildDirectory(name: Name): string {
  const { workspace, listSources }: Build = BUILDS[name]
  const hash = createHash('sha256')
  for (const file of listSources().toSorted()) {
    const path = join(root, file)
    if (statSync(path).isFile()) hash.update(`\0${file}\0`).update(readFileSync(path))
  }
  return join(root, workspace, 'dist', hash.digest('hex').slice(0, 16))
}

/**
 * Installations of one clone can start at the same time, so each build gets its name when it is complete.
 *
 * @param print for a failure.
 * @param onBegin called unless it was built before.
 * @param stopping ends it.
 * @returns the directory of the build, or undefined after a failed one, which is printed.
 */
export async function buildWeb(
  name: Name,
  print: (text: string) => void,
  { onBegin, stopping }: { onBegin?: () => void; stopping?: AbortSignal } = {},
): Promise<string | undefined> {
  const { what, workspace, getArguments }: Build = BUILDS[name]
  const built = getBuildDirectory(name)
  if (existsSync(built)) return built
  onBegin?.()
  const builds = join(root, workspace, 'dist')
  const unfinished = join(builds, `unfinished-${process.pid}`)
  const failure = await runBuild(getArguments(unfinished), { directory: join(root, workspace), stopping })
  if (failure !== undefined) {
    rmSync(unfinished, { recursive: true, force: true })
    print(`The ${what} could not be built. Everything else works without.\n${failure}`)
    return undefined
  }
  for (const other of readdirSync(builds))
    if (!other.startsWith('unfinished-')) rmSync(join(builds, other), { recursive: true, force: true })
  renameSync(unfinished, built)
  return built
}

/** @param args of Node. @returns the output of a build that failed. */
export async function runBuild(
  args: string[],
  { directory, stopping }: { directory: string; stopping?: AbortSignal },
): Promise<string | undefined> {
  const build = spawn(process.execPath, args, {
    cwd: directory,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stopping,
  })
  const [output, errors, [code]] = await Promise.all([text(build.stdout), text(build.stderr), once(build, 'exit')])
  return code === 0 ? undefined : `${output}${errors}`
}

if (import.meta.main)
  for (const name of process.argv.slice(2) as Name[]) if (!(await buildWeb(name, console.log))) process.exitCode = 1
