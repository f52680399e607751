import { formatPackageName, parseChecksums, parsePackageName } from '@platen/proto/agent-packages.ts'
import { expect, test } from 'vitest'
import { TARGETS } from '../../packages/targets.ts'

const FORMATS = { linux: ['deb', 'tar.gz'], darwin: ['tar.gz'], win32: ['zip'] } as const

test('each package that is built has a name that services and agents understand', () => {
  for (const { platform, name, architecture } of TARGETS)
    for (const format of FORMATS[platform]) {
      const file = formatPackageName('0.2.0-dev', name, format)
      const parsed = parsePackageName(file)
      expect(parsed, file).toMatchObject({ version: '0.2.0-dev', architecture, format })
      expect(`${parsed?.platform}-${architecture}`).toBe(name)
    }
})

// Released agents read this name.
test('the name of a package stays the same', () => {
  expect(formatPackageName('1.2.3', 'linux-x64', 'tar.gz')).toBe('platen-agent-1.2.3-linux-x64.tar.gz')
})

test.each(['sbom.cdx.json', 'install.sh', 'platen-agent-1.2.3-linux-x64.rpm', 'platen-agent-../1-linux-x64.deb'])(
  '%s is not a package',
  (file) => expect(parsePackageName(file)).toBeUndefined(),
)

test('a list of checksums names no file outside of its directory', () => {
  const sum = 'a'.repeat(64)
  const names = ['package.deb', '../package.deb', '.hidden', '/etc/passwd']
  const list = [...names.map((name) => `${sum}  ${name}`), `${sum.slice(1)}  short.deb`, ''].join('\n')
  expect([...parseChecksums(list)]).toEqual([['package.deb', sum]])
})
