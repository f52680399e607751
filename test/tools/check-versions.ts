/**
 * Part of `npm run check`: fails if a file names another version than `package.json`. Between two releases the version
 * is that of the next release with `-dev`, and the changelog begins with `Unreleased`. See docs/development/release.md.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPythonVersion } from '@platen/resources/client-packages.ts'
import previous from '../upgrade/previous-release.json' with { type: 'json' }

process.chdir(join(import.meta.dirname, '../..'))
const read = (file: string) => readFileSync(file, 'utf8')
const readVersion = (file: string): string => JSON.parse(read(file)).version
/** @param pattern with one group. */
const findAll = (file: string, pattern: RegExp) => [...read(file).matchAll(pattern)].map(([, found = '']) => found)

const PYTHON = 'clients/python/src/platen_print/_version.py'
const version = readVersion('package.json')
const release = version.replace('-dev', '')
const [newest = '', latestReleased = ''] = findAll('CHANGELOG.md', /^## (\S+)/gm)
const packages = globSync(
  '{package-lock,proto/package,agent/package,deploy/package,test/package,services/*/package,clients/*/package,docs/site/package}.json',
)

const found: [file: string, expected: string, ...versions: string[]][] = [
  ...packages.map((file): [string, string, string] => [file, version, readVersion(file)]),
  [PYTHON, toPythonVersion(version), ...findAll(PYTHON, /^__version__ = "(.*)"$/gm)],
  ['helm/platen/Chart.yaml', version, ...findAll('helm/platen/Chart.yaml', /^(?:appVersion|version): (\S+)$/gm)],
  ['deploy/compose/compose.yaml', version, ...findAll('deploy/compose/compose.yaml', /platen:([\w.-]+)\}$/gm)],
  ['helm/platen/UPGRADING.md', release, findAll('helm/platen/UPGRADING.md', /^## (\S+)/gm)[0] ?? ''],
  ['CHANGELOG.md', version === release ? version : 'Unreleased', newest],
]
if (version !== release) found.push(['test/upgrade/previous-release.json', latestReleased, previous.version])
for (const [file, expected, ...versions] of found) {
  if (versions.length > 0 && versions.every((one) => one === expected)) continue
  console.error(`${file} has the version ${versions.join(', ') || 'none'} instead of ${expected}.`)
  process.exitCode = 1
}
