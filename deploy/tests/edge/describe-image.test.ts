import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeImage } from '../../image/describe-image.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

const LIBVIPS = 'node_modules/@img/sharp-libvips-linux-x64'
const HASH = Buffer.from('hash of the package')

function writeTree(root: string, files: Record<string, string | object>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** An image with a package of services, one with libraries, a bundled one, and a workspace. */
async function makeImage(changed: Record<string, string | object> = {}) {
  const root = await temporaryDirectory()
  const integrity = `sha512-${HASH.toString('base64')}`
  writeTree(root, {
    'etc/os-release': 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="13"\n',
    'var/lib/dpkg/status': [
      'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.41-12+deb13u1\n',
      'Package: removed\nStatus: deinstall ok config-files\nArchitecture: amd64\nVersion: 1\n',
    ].join('\n'),
    'platen/package.json': { version: '1.2.3' },
    'platen/node_modules/.package-lock.json': {
      packages: {
        'node_modules/@platen/jobs': { link: true },
        'node_modules/pg': { version: '8.0.0', license: 'MIT', integrity },
        'node_modules/removed': { version: '1.0.0' },
        [LIBVIPS]: { version: '1.3.4', license: 'LGPL-3.0-or-later', integrity },
      },
    },
    'platen/node_modules/pg/package.json': { name: 'pg', version: '8.0.0', license: 'MIT' },
    'platen/node_modules/pg/LICENSE': 'the text of pg',
    'platen/node_modules/pg/licenses/others.txt': '',
    [`platen/${LIBVIPS}/package.json`]: {
      name: '@img/sharp-libvips-linux-x64',
      version: '1.3.4',
      license: 'LGPL-3.0-or-later',
    },
    [`platen/${LIBVIPS}/versions.json`]: { vips: '8.18.7' },
    [`platen/${LIBVIPS}/README.md`]: '# libvips\n\nUsage\n\n## Licensing\n\n| glib | LGPLv3 |\n',
    'web/node_modules/.package-lock.json': { packages: { 'node_modules/react': { version: '19.0.0' } } },
    'web/node_modules/react/package.json': { name: 'react', version: '19.0.0', license: 'MIT' },
    ...changed,
  })
  const read = (name: string) => readFileSync(join(root, 'platen', name), 'utf8')
  return { describe: () => describeImage([join(root, 'platen'), join(root, 'web')], root), read }
}

test('the SBOM of an image has its npm packages with hashes, the libraries of libvips, Node, and the packages of Debian', async () => {
  const { describe, read } = await makeImage()
  await describe()
  const { metadata, components } = JSON.parse(read('sbom.cdx.json'))
  expect(metadata.component).toEqual({ type: 'container', name: 'platen', version: '1.2.3' })
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual([
    'pkg:npm/pg@8.0.0',
    'pkg:npm/%40img/sharp-libvips-linux-x64@1.3.4',
    'pkg:generic/vips@8.18.7',
    'pkg:npm/react@19.0.0',
    `pkg:generic/node@${process.versions.node}`,
    'pkg:deb/debian/libc6@2.41-12%2Bdeb13u1?arch=amd64&distro=debian-13',
  ])
  expect(components[0].hashes).toEqual([{ alg: 'SHA-512', content: HASH.toString('hex') }])
})

test('the notices of an image have the licences of its packages, and name those of the libraries in the one with libvips', async () => {
  const { describe, read } = await makeImage()
  await describe()
  const notices = read('THIRD-PARTY-NOTICES.txt')
  for (const text of ['pg 8.0.0 (MIT)', 'the text of pg', 'react 19.0.0', 'LGPL-3.0-or-later', '| glib | LGPLv3 |'])
    expect(notices).toContain(text)
  expect(notices).not.toContain('Usage')
  expect(notices).toContain('/usr/share/common-licenses')
})

test('an image with a package without a licence is not built', async () => {
  const { describe } = await makeImage({ 'web/node_modules/react/package.json': { name: 'react', version: '19.0.0' } })
  await expect(describe()).rejects.toThrow('react 19.0.0 has no licence')
})
