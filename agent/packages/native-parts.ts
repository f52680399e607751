/** Installs packages that a bundle cannot contain: native code and WebAssembly, which the Windows driver loads from `node_modules` next to the program. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import lock from '../../package-lock.json' with { type: 'json' }
import { run } from './run.ts'

/** The packages of `package-lock.json`. */
export type LockedPackages = Record<string, object>

export interface NativePartsOptions {
  platform: NodeJS.Platform
  architecture: string
  dir: string
}

/**
 * Installs the packages for the platform with npm, on any platform, without their scripts. They contain their licences.
 *
 * @throws if the hash of a package is not that of `package-lock.json`.
 */
export async function installNativeParts(
  { platform, architecture, dir }: NativePartsOptions,
  locked: LockedPackages = lock.packages,
): Promise<void> {
  const modules = join(dir, 'node_modules')
  const manifestFile = join(dir, 'package.json')
  const lockFile = join(dir, 'package-lock.json')
  await rm(modules, { recursive: true, force: true })

  const names = ['koffi', `@koromix/koffi-${platform}-${architecture}`, '@embedpdf/pdfium']
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, toRequired(locked, name)]))
  const root = { dependencies: Object.fromEntries(names.map((name) => [name, '*'])) }
  await writeFile(manifestFile, JSON.stringify(root))
  await writeFile(lockFile, JSON.stringify({ lockfileVersion: 3, packages: { '': root, ...packages } }))
  const options = ['--prefix', dir, '--ignore-scripts', '--no-audit', '--no-fund']
  const target = [`--os=${platform}`, `--cpu=${architecture}`]
  await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', ...options, ...target])
  for (const file of [manifestFile, lockFile, join(modules, '.package-lock.json')]) await rm(file, { force: true })
}

/** The entry of the package as one that must be installed: npm omits optional packages with another hash without an error. */
function toRequired(locked: LockedPackages, name: string) {
  const { version, integrity } = (locked[`node_modules/${name}`] ?? {}) as { version?: string; integrity?: string }
  if (!version || !integrity) throw new Error(`package-lock.json has no hash of ${name}.`)
  return { version, integrity }
}
