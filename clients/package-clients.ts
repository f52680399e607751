/**
 * `npm run package:clients`: builds the packages for npm, `@platen/sdk` and `@platen/cli`, as tarballs in `clients/dist` or `--out DIR`.
 * Publishing them is a step of the release.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createNotices, listPackages } from '@platen/agent/packages/notices.ts'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')

/** Fields of the package that depend on the built files. `private` and dependencies on workspaces are not published. */
interface Published {
  exports?: object
  bin?: object
  engines?: object
  files: string[]
}

/** @returns the path of the tarball. */
export async function packageSdk(out: string): Promise<string> {
  return await pack('typescript', out, async (dir) => {
    await run('node', 'clients/generate.ts')
    await run('tsc', '--project', join(ROOT, 'clients/typescript'), '--outDir', join(dir, 'dist'))
    return { exports: { '.': './dist/main.js' }, files: ['dist'] }
  })
}

export async function packageCli(out: string): Promise<string> {
  return await pack('cli', out, async (dir) => {
    const inputs = await bundleCli(join(dir, 'platen.mjs'))
    await writeFile(join(dir, 'THIRD-PARTY-NOTICES.txt'), await createNotices(listPackages(inputs)))
    return { bin: { platen: './platen.mjs' }, files: ['platen.mjs', 'THIRD-PARTY-NOTICES.txt'] }
  })
}

/**
 * One file with all dependencies, because it starts faster and installs alone.
 *
 * @returns the paths of its sources.
 */
export async function bundleCli(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'clients/cli/main.ts')],
    absWorkingDir: ROOT,
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    // Names and lines are kept, so that a stack trace is readable.
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs)
}

async function pack(client: string, out: string, fill: (dir: string) => Promise<Published>): Promise<string> {
  const source = join(ROOT, 'clients', client)
  const dir = await mkdtemp(join(tmpdir(), 'platen-package-'))
  try {
    const published = await fill(dir)
    const {
      private: _,
      dependencies,
      devDependencies,
      ...manifest
    } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
    await writeFile(join(dir, 'package.json'), JSON.stringify({ ...manifest, ...published }, undefined, 2))
    await copyFile(join(source, 'README.md'), join(dir, 'README.md'))
    await copyFile(join(ROOT, 'LICENSE'), join(dir, 'LICENSE'))
    await mkdir(out, { recursive: true })
    const packed = await run('npm', 'pack', dir, '--pack-destination', out, '--json')
    return join(out, JSON.parse(packed)[0].filename)
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function run(program: string, ...args: string[]): Promise<string> {
  const path = `${BIN}:${process.env.PATH}`
  const { stdout } = await promisify(execFile)(program, args, { cwd: ROOT, env: { ...process.env, PATH: path } })
  return stdout
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'clients/dist') } } })
  for (const tarball of await Promise.all([packageSdk(values.out), packageCli(values.out)])) console.log(tarball)
}
