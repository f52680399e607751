/**
 * The files of the installed program: Node, the bundle, PDFium, fonts, native code, a command and what starts it with
 * the computer.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Entry } from './archives.ts'
import { type Bundle, bundleAgent, type Identity, V8_FLAGS } from './bundle.ts'
import { createNotices } from './notices.ts'
import { installParts } from './parts.ts'
import type { Target } from './targets.ts'

const HERE = import.meta.dirname

/** What the program reads of the package. The others of its files are for browsers. */
const PDFIUM_FILES = ['package.json', 'LICENSE', 'LICENSE.pdfium', 'dist/index.cjs', 'dist/pdfium.wasm']

/** What `spoolers/pdf/fonts.ts` reads. */
const FONT_FILES = ['Arimo', 'Cousine', 'Tinos'].flatMap((family) =>
  [
    ...['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'].map(
      (style) => `${style}/${family}_${style}.ttf`,
    ),
    ...['package.json', 'LICENSE', 'LICENSE_FONT'],
  ].map((file) => `@expo-google-fonts/${family.toLowerCase()}/${file}`),
)

/** @param options.dir for the bundle, which must exist until the entries are archived. */
export async function createProgramFiles(
  target: Target,
  { dir, version, releaseKey }: Identity & { dir: string },
): Promise<Entry[]> {
  const [bundle, modules] = await Promise.all([
    bundleAgent(target.platform, join(dir, target.name), { version, releaseKey }),
    installParts(target),
  ])
  const notices = await createNotices(bundle.packages, { node: join(modules, target.node) })
  if (target.platform === 'win32') return await createWindowsFiles(target, { bundle, modules, notices })
  const prefix = target.platform === 'linux' ? 'usr' : 'usr/local'
  const lib = `${prefix}/lib/platen-agent`
  const program = [
    entry(`${lib}/node`, join(modules, target.node, 'bin/node'), 0o755),
    ...listProgram(lib, { bundle, modules }),
    entry(`${prefix}/bin/platen-agent`, join(HERE, 'platen-agent.sh'), 0o755),
    // Without it the launcher uses no updates.
    { path: `${lib}/version`, source: { text: `${version}\n` }, mode: 0o644 },
  ]
  return target.platform === 'linux'
    ? [
        ...program,
        entry('usr/lib/systemd/system/platen-agent.service', join(HERE, 'deb/platen-agent.service')),
        { path: 'usr/share/doc/platen-agent/copyright', source: { text: notices }, mode: 0o644 },
      ]
    : [
        ...program,
        entry(`${lib}/run-agent`, join(HERE, 'macos/run-agent'), 0o755),
        entry('Library/LaunchDaemons/com.platen.agent.plist', join(HERE, 'macos/com.platen.agent.plist')),
        { path: `${lib}/THIRD-PARTY-NOTICES.txt`, source: { text: notices }, mode: 0o644 },
      ]
}

interface Parts {
  bundle: Bundle
  modules: string
}

async function createWindowsFiles(
  { node }: Target,
  { notices, ...parts }: Parts & { notices: string },
): Promise<Entry[]> {
  const koffi = (await readdir(parts.modules, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map((file) =>
      join(file.parentPath, file.name)
        .slice(parts.modules.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => path.startsWith('koffi/') || path.startsWith('@koromix/'))
    .sort()
  return [
    // Under its own name, by which `install.ps1` and the Task Manager recognize the agent.
    entry('platen-agent.exe', join(parts.modules, node, 'bin/node.exe')),
    ...listProgram('.', parts),
    ...koffi.map((path) => entry(`node_modules/${path}`, join(parts.modules, path))),
    ...['install.ps1', 'run-agent.cmd', 'platen-agent.cmd'].map((name) => entry(name, join(HERE, 'windows', name))),
    { path: 'THIRD-PARTY-NOTICES.txt', source: { text: notices }, mode: 0o644 },
  ]
}

/** The parts that are the same on all platforms. */
function listProgram(lib: string, { bundle, modules }: Parts): Entry[] {
  const inLib = (path: string) => (lib === '.' ? path : `${lib}/${path}`)
  return [
    entry(inLib('platen-agent.cjs'), bundle.script),
    { path: inLib('v8-flags'), source: { text: `${V8_FLAGS.join(' ')}\n` }, mode: 0o644 },
    ...[...PDFIUM_FILES.map((file) => `@embedpdf/pdfium/${file}`), ...FONT_FILES].map((file) =>
      entry(inLib(`node_modules/${file}`), join(modules, file)),
    ),
  ]
}

const entry = (path: string, file: string, mode = 0o644): Entry => ({ path, source: { file }, mode })
