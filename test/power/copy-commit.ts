/** The last commit in a temporary directory, where its files can be changed. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withScratch } from '../tools/scratch.ts'

const exec = promisify(execFile)
export const ROOT = join(import.meta.dirname, '../..')

/** The agent refuses native packages that a link leads to. */
const COPIED = ['@embedpdf', '@expo-google-fonts', 'koffi', '@koromix']

export async function withCopy<Result>(run: (copy: string, scratch: string) => Promise<Result>): Promise<Result> {
  return await withScratch(async (scratch) => {
    const copy = join(scratch, 'copy')
    await copyCommit(copy)
    return await run(copy, scratch)
  })
}

async function copyCommit(copy: string): Promise<void> {
  await mkdir(join(copy, 'node_modules/@platen'), { recursive: true })
  await exec('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', copy], { cwd: ROOT })
  const packages = join(ROOT, 'node_modules')
  for (const name of await readdir(packages)) {
    const target = join(copy, 'node_modules', name)
    if (COPIED.includes(name)) await cp(join(packages, name), target, { recursive: true })
    else if (name !== '@platen') await symlink(join(packages, name), target)
  }
  // The links to the workspaces are relative, so these lead into the copy.
  for (const name of await readdir(join(packages, '@platen')))
    await symlink(await readlink(join(packages, '@platen', name)), join(copy, 'node_modules/@platen', name))
  await linkOwnPackages(copy)
}

/** The packages that a workspace has in another version than the others. */
async function linkOwnPackages(copy: string): Promise<void> {
  const { stdout } = await exec('git', ['ls-files', '*/package.json'], { cwd: ROOT })
  for (const workspace of stdout.trim().split('\n').map(dirname)) {
    const packages = join(workspace, 'node_modules')
    if (existsSync(join(ROOT, packages))) await symlink(join(ROOT, packages), join(copy, packages))
  }
}
