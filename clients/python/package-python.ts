/**
 * Builds the wheel of the Python library: a zip with the modules, their metadata and the hashes of both, so it needs
 * neither Python nor a build backend. Reference:
 * https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'

const LIBRARY = import.meta.dirname
const SOURCES = join(LIBRARY, 'src')
/** A build is identified by its version and not by its time. The local time, which is that of a zip. */
const MODIFIED_AT = new Date(2026, 0, 1)

/** @param out an existing directory. @returns the path of the wheel. */
export async function packagePython(out: string): Promise<string> {
  const version = await readVersion()
  const base = `platen_print-${version}`
  const info = `${base}.dist-info`
  const files = new Map<string, Buffer>()
  for (const name of globSync('platen_print/**/*.{py,typed}', { cwd: SOURCES }).toSorted())
    files.set(name.replaceAll('\\', '/'), await readFile(join(SOURCES, name)))
  files.set(`${info}/licenses/LICENSE`, await readFile(join(LIBRARY, '../../LICENSE')))
  files.set(`${info}/METADATA`, Buffer.from(await createMetadata(version)))
  files.set(
    `${info}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: platen\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  )
  files.set(`${info}/RECORD`, Buffer.from(createRecord(files, `${info}/RECORD`)))
  const path = join(out, `${base}-py3-none-any.whl`)
  await writeFile(path, zipSync(Object.fromEntries(files), { mtime: MODIFIED_AT }))
  return path
}

/** Each file with its SHA-256 and its size. The list itself has neither. */
const createRecord = (files: ReadonlyMap<string, Buffer>, own: string) =>
  [...files]
    .map(([name, data]) => `${name},sha256=${createHash('sha256').update(data).digest('base64url')},${data.length}\n`)
    .concat(`${own},,\n`)
    .join('')

async function createMetadata(version: string): Promise<string> {
  const project = await readFile(join(LIBRARY, 'pyproject.toml'), 'utf8')
  const get = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)?.[1] ?? ''
  const list = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} = (\\[.*\\])$`, 'm').exec(project)?.[1] ?? '')
  const fields = [
    // Installers of all supported versions of Python read this one.
    'Metadata-Version: 2.1',
    `Name: ${get('name')}`,
    `Version: ${version}`,
    `Summary: ${get('description')}`,
    `License: ${get('license')}`,
    ...list('classifiers').map((one) => `Classifier: ${one}`),
    `Requires-Python: ${get('requires-python')}`,
    ...list('dependencies').map((one) => `Requires-Dist: ${one}`),
    'Description-Content-Type: text/markdown',
  ]
  return `${fields.join('\n')}\n\n${await readFile(join(LIBRARY, 'README.md'), 'utf8')}`
}

async function readVersion(): Promise<string> {
  const text = await readFile(join(SOURCES, 'platen_print/_version.py'), 'utf8')
  const [, version] = /^__version__ = "(.*)"$/m.exec(text) ?? []
  if (version === undefined) throw new Error('_version.py has no `__version__`.')
  return version
}
