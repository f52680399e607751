/**
 * `npm run package:clients`: builds what integrators install in `dist/clients` or `--out DIR`: the tarballs of
 * `@platen/sdk` and `@platen/cli` for npm, the wheel of `platen-print` for Python, and the list of their checksums.
 * `PLATEN_RELEASE_KEY_FILE` names the key that signs the list.
 *
 * `npm start` and the image offer the same files at `/clients/`: `deploy/launcher/build-web.ts`. Needs neither Python
 * nor the registry of npm.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readReleaseKey } from '@platen/agent/packages/minisign.ts'
import { createNotices, listPackages } from '@platen/agent/packages/notices.ts'
import { signChecksums, writeChecksums } from '@platen/agent/packages/release-files.ts'
import { run, runNpm } from '@platen/agent/packages/run.ts'
import { build } from 'esbuild'
import manifest from './cli/package.json' with { type: 'json' }
import { packagePython } from './python/package-python.ts'

const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** Fields of the package that depend on the built files. `private` and dependencies on workspaces are not published. */
interface Published {
  exports?: object
  bin?: object
  engines?: object
  files: string[]
}

/** @param out an existing directory. */
async function packageClients(out: string): Promise<void> {
  const { PLATEN_RELEASE_KEY_FILE: keyFile } = process.env
  const key = keyFile ? await readReleaseKey(keyFile) : undefined
  for (const path of await Promise.all([packageSdk(out), packageCli(out), packagePython(out)])) console.log(path)
  await writeChecksums(out)
  if (key) await signChecksums(out, `Platen clients ${manifest.version}`, key)
}

/** @returns the path of the tarball. */
export async function packageSdk(out: string): Promise<string> {
  return await pack('typescript', out, async (dir) => {
    await run(process.execPath, [TSC, '--project', join(ROOT, 'clients/typescript'), '--outDir', join(dir, 'dist')])
    return { exports: { '.': './dist/main.js' }, files: ['dist'] }
  })
}

export async function packageCli(out: string): Promise<string> {
  return await pack('cli', out, async (dir) => {
    const inputs = await bundleCli(join(dir, 'platen.mjs'))
    await writeFile(join(dir, 'THIRD-PARTY-NOTICES.txt'), await createNotices(listPackages(inputs)))
    return { bin: { platen: 'platen.mjs' }, files: ['platen.mjs', 'THIRD-PARTY-NOTICES.txt'] }
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
    target: 'node20',
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
    const packed = await runNpm(['pack', dir, '--pack-destination', out, '--json'])
    return join(out, JSON.parse(packed)[0].filename)
  } finally {
    await rm(dir, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist/clients') } } })
  // A gateway can serve the directory, so it has one version only.
  await rm(values.out, { recursive: true, force: true })
  await mkdir(values.out, { recursive: true })
  await packageClients(values.out)
}
