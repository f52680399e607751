/**
 * `node deploy/image/describe-image.ts DIRECTORY BUNDLED`: writes into the directory of an image what it consists of.
 * Run by the Dockerfile, where the packages of services are installed in DIRECTORY, and those that the dashboard and
 * the documentation are built of in BUNDLED.
 *
 * - `THIRD-PARTY-NOTICES.txt` has the licences of the npm packages.
 * - `sbom.cdx.json` (CycloneDX) has these packages, the libraries in the one with libvips, Node, and the packages of
 *   Debian.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNotices } from '@platen/agent/packages/notices.ts'

export interface Component {
  type: 'library' | 'application'
  name: string
  version: string
  purl: string
  licenses?: { license: { name: string } }[]
  hashes?: { alg: string; content: string }[]
}

interface Installed {
  version: string
  license?: string
  integrity?: string
  link?: boolean
}

/**
 * @param directory with `node_modules`.
 * @returns the directories of the npm packages, with what npm has recorded of them.
 */
function listNpmPackages(directory: string): [path: string, Installed][] {
  const { packages } = JSON.parse(readFileSync(join(directory, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.entries<Installed>(packages)
    .filter(([path, { link }]) => !link && path.includes('node_modules/') && existsSync(join(directory, path)))
    .map(([path, installed]) => [join(directory, path), installed])
}

function toComponents([path, { version, license, integrity }]: [string, Installed]): Component[] {
  const name = path.split('node_modules/').at(-1) ?? ''
  const [algorithm, hash = ''] = integrity?.split('-') ?? []
  const versions = join(path, 'versions.json')
  const inner: Record<string, string> =
    name.startsWith('@img/sharp-libvips') && existsSync(versions) ? JSON.parse(readFileSync(versions, 'utf8')) : {}
  return [
    {
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(license && { licenses: [{ license: { name: license } }] }),
      ...(algorithm === 'sha512' && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
      }),
    },
    ...Object.entries(inner).map(
      ([library, number]): Component => ({
        type: 'library',
        name: library,
        version: number,
        purl: `pkg:generic/${library}@${number}`,
      }),
    ),
  ]
}

/** @param root of the file system. @returns the installed packages of Debian. */
function listDebianPackages(root: string): Component[] {
  const release = readFileSync(join(root, 'etc/os-release'), 'utf8')
  const find = (text: string, name: string) => new RegExp(`^${name}[:=] ?"?([^"\\n]*)`, 'm').exec(text)?.[1] ?? ''
  const distribution = `${find(release, 'ID')}-${find(release, 'VERSION_ID')}`
  return readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8')
    .split('\n\n')
    .filter((entry) => find(entry, 'Status').endsWith(' installed'))
    .map((entry): Component => {
      const [name, version] = [find(entry, 'Package'), find(entry, 'Version')]
      const qualifiers = `arch=${find(entry, 'Architecture')}&distro=${distribution}`
      const purl = `pkg:deb/${find(release, 'ID')}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`
      return { type: 'library', name, version, purl }
    })
}

/** The works of which the image has no text beside them. */
const HEAD = `The images of Platen contain the following third-party works. The texts of GPL and LGPL are in /usr/share/common-licenses, the licences of
the packages of Debian in /usr/share/doc, and that of Node.js in /usr/local/LICENSE.

libvips and the libraries that are linked to it are the shared library of the package @img/sharp-libvips, which can be replaced by another
build of it. The source: https://github.com/lovell/sharp-libvips
`

/**
 * @param directories with `node_modules`; the first one gets the files.
 * @param root of the file system.
 */
export async function describeImage(directories: string[], root = '/'): Promise<void> {
  const [target = ''] = directories
  const packages = directories.flatMap(listNpmPackages)
  const { version } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  const node = process.versions.node
  const components: Component[] = [
    ...packages.flatMap(toComponents),
    { type: 'application', name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ...listDebianPackages(root),
  ]
  const unique = new Map(components.map((component) => [component.purl, component]))
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'container', name: 'platen', version } },
    components: [...unique.values()],
  }
  writeFileSync(join(target, 'sbom.cdx.json'), JSON.stringify(sbom, null, 2))
  const paths = new Map(
    packages.map(([path, { version }]) => [`${path.split('node_modules/').at(-1)}@${version}`, path]),
  )
  const notices = await createNotices([...paths.values()].sort(), { head: HEAD })
  writeFileSync(join(target, 'THIRD-PARTY-NOTICES.txt'), notices)
}

if (import.meta.main) await describeImage(process.argv.slice(2))
