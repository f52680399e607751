/** Installs packages that a bundle cannot contain: native code and WebAssembly, which the Windows driver loads from `node_modules` next to the program. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { run } from './run.ts'

const NAMES = ['koffi', '@embedpdf/pdfium'] as const

/** Installs the packages for the platform with npm, on any platform. They contain their licences. */
export async function installNativeParts(platform: NodeJS.Platform, architecture: string, dir: string): Promise<void> {
  const modules = join(dir, 'node_modules')
  await rm(modules, { recursive: true, force: true })
  const packages = NAMES.map((name) => `${name}@${manifest.dependencies[name]}`)
  const target = [`--os=${platform}`, `--cpu=${architecture}`]
  const options = ['--prefix', dir, '--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund']
  await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['install', ...options, ...target, ...packages])
  await rm(join(modules, '.package-lock.json'), { force: true })
}
