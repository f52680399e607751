/** Installs what a bundle cannot contain: Node of another platform, native code and WebAssembly. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import lock from '../../package-lock.json' with { type: 'json' }
import { root } from './paths.ts'
import { runNpm } from './run.ts'
import type { Target } from './targets.ts'

/** The packages of `package-lock.json`. */
export type LockedPackages = Record<string, object>

/**
 * A part that is installed once is used by later builds. Not in the temporary directory, where other users can write.
 */
const CACHE = join(root, 'node_modules/.cache/platen/agent-parts')

/** The fonts that drawn documents may lack. */
const FONTS = ['arimo', 'cousine', 'tinos'].map((family) => `@expo-google-fonts/${family}`)

/** The Windows driver calls the system by koffi. */
const NATIVE = { linux: [], darwin: [], win32: ['koffi'] } as const

/**
 * Installs the packages for the target with npm, on any platform, without their scripts. They contain their licences.
 *
 * @returns the directory `node_modules` with Node, PDFium, fonts and native code.
 * @throws if the hash of a package is not that of `package-lock.json`.
 */
export async function installParts(target: Target, locked: LockedPackages = lock.packages): Promise<string> {
  const { platform, architecture, node } = target
  const native = NATIVE[platform].flatMap((name) => [name, toNativePart(name, target)])
  const names = [node, '@embedpdf/pdfium', ...FONTS, ...native]
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, toRequired(locked, name)]))
  const manifest = { dependencies: Object.fromEntries(names.map((name) => [name, '*'])) }
  const lockFile = JSON.stringify({ lockfileVersion: 3, packages: { '': manifest, ...packages } })

  const dir = join(CACHE, createHash('sha256').update(lockFile).digest('hex').slice(0, 16))
  if (existsSync(dir)) return join(dir, 'node_modules')
  await mkdir(CACHE, { recursive: true })
  const installing = await mkdtemp(join(CACHE, 'installing-'))
  try {
    await writeFile(join(installing, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(installing, 'package-lock.json'), lockFile)
    const options = ['--prefix', installing, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await runNpm(['ci', ...options, `--os=${platform}`, `--cpu=${architecture}`])
    // Another build may have installed it meanwhile.
    await rename(installing, dir).catch((error) => {
      if (!existsSync(dir)) throw error
    })
  } finally {
    await rm(installing, { recursive: true, force: true })
  }
  return join(dir, 'node_modules')
}

const toNativePart = (name: string, { platform, architecture }: Target) =>
  `@koromix/${name}-${platform}-${architecture}`

/**
 * The entry of the package as one that must be installed: npm omits optional packages with another hash without an
 * error.
 */
function toRequired(locked: LockedPackages, name: string) {
  const { version, integrity } = (locked[`node_modules/${name}`] ?? {}) as { version?: string; integrity?: string }
  if (!version || !integrity) throw new Error(`package-lock.json has no hash of ${name}.`)
  return { version, integrity }
}
