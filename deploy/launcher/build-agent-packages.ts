/**
 * Builds the packages of the agent that `npm start` offers to other computers. Called after each start. Imports only
 * Node and files that import only Node.
 *
 * The registry of npm sends Node for all platforms, 250 MB, so an installation that only its own computer reaches
 * builds none: this computer runs the agent of the clone.
 */
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUMS, parseChecksums, parsePackageName, SIGNATURE } from '../../proto/agent-packages.ts'
import { removeUnfinished } from '../../services/runtime/packages.ts'
import { agentPackages, root } from '../install/paths.mjs'
import { runBuild } from './build-web.ts'

/** Packages and their parts have 1.3 GB. The database is often on the same disk and must not lack space. */
const FREE_MINIMUM_GB = 3

/** @param print for a failure. @param stopping ends it. */
export async function buildAgentPackages(print: (text: string) => void, stopping: AbortSignal): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'agent/package.json'), 'utf8'))
  if (await hasPackages(agentPackages, version)) return
  if ((await getFreeGb()) < FREE_MINIMUM_GB) {
    print(
      `The packages of the agent are not built, because the disk of ${root} has less than ${FREE_MINIMUM_GB} GB free. Free some, then run \`npm run package:agent\`.`,
    )
    return
  }
  const args = ['--no-warnings', join(root, 'agent/packages/package-agent.ts'), '--no-image']
  const failure = await runBuild(args, { directory: root, stopping })
  if (failure === undefined) return
  await removeUnfinished(agentPackages)
  print(
    `The packages of the agent could not be built, so other computers cannot install it from here. Correct the error below, then run \`npm run package:agent\`:\n${failure}`,
  )
}

/**
 * Whether the directory has packages that a build must not replace: those of the version, or signed ones, whose key may
 * be elsewhere.
 */
export async function hasPackages(directory: string, version: string): Promise<boolean> {
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => undefined)
  const list = await read(CHECKSUMS)
  if (list === undefined) return false
  if ((await read(SIGNATURE)) !== undefined) return true
  return [...parseChecksums(list).keys()].some((file) => parsePackageName(file)?.version === version)
}

async function getFreeGb(): Promise<number> {
  const { bavail, bsize } = await statfs(root)
  return (bavail * bsize) / 1e9
}
