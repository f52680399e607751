/** The licence texts of all dependencies, which their licences require in every package. */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { root } from './paths.ts'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i
const RULE = '-'.repeat(80)

/**
 * @returns the directories of the npm packages among the inputs of a bundle, relative to the root of the repository.
 */
export function listPackages(inputs: string[]): string[] {
  const found = inputs.flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(found)].sort()
}

interface NoticesOptions {
  /** The directory of the npm package with Node, if the program contains it. */
  node?: string
  /** The first text. */
  head?: string
}

/**
 * @param packages directories of npm packages; a relative one is in the root of the repository.
 * @returns name, version and licence of each package, and of Node.js.
 * @throws for a package without the text or the name of a licence, because it must not be shipped.
 */
export async function createNotices(
  packages: string[],
  { node, head = 'This program contains the following third-party works.\n' }: NoticesOptions = {},
): Promise<string> {
  const texts = await Promise.all(packages.map(readNotice))
  const last = node === undefined ? [] : [await readNodeNotice(node)]
  return [head, ...texts, ...last].join(`\n${RULE}\n`)
}

async function readNotice(path: string): Promise<string> {
  const dir = resolve(root, path)
  const { name, version, license } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'))
  const entries = await readdir(dir, { withFileTypes: true })
  const files = entries.flatMap((entry) => (entry.isFile() && LICENSE_FILE.test(entry.name) ? [entry.name] : [])).sort()
  if (!license && files.length === 0) throw new Error(`${name} ${version} has no licence.`)
  const texts = await Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')))
  if (files.length === 0) texts.push(...(await readLicenseSection(dir)))
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
}

/** The section of the README, which names the parts of a package with libraries of others. */
async function readLicenseSection(dir: string): Promise<string[]> {
  const readme = await readFile(join(dir, 'README.md'), 'utf8').catch(() => '')
  return /^#+ Licen[cs].*/ims.exec(readme) ?? []
}

/** The package for Windows contains no text. */
async function readNodeNotice(dir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'))
  const text = await readFile(join(dir, 'LICENSE'), 'utf8').catch(
    () => `MIT and others; the full text: https://github.com/nodejs/node/blob/v${version}/LICENSE`,
  )
  return `Node.js v${version}\n\n${text}`
}
