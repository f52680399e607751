/** The licence texts of all dependencies, which their licences require in every package. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './paths.ts'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i
const RULE = '-'.repeat(80)

/**
 * @param inputs paths of all files in a bundle, relative to the root of the repository.
 * @param hasNode whether Node.js is part of the package.
 * @returns name, version and licence of each package of the files, and of Node.js.
 * @throws for a package without the text or the name of a licence, because it must not be shipped.
 */
export async function createNotices(inputs: string[], hasNode = true): Promise<string> {
  const packages = new Set(inputs.flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
  const texts = await Promise.all([...packages].sort().map(readNotice))
  const node = hasNode ? [await readNodeNotice()] : []
  return ['This program contains the following third-party works.\n', ...texts, ...node].join(`\n${RULE}\n`)
}

async function readNotice(path: string): Promise<string> {
  const dir = join(root, path)
  const { name, version, license } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'))
  const files = (await readdir(dir)).filter((file) => LICENSE_FILE.test(file)).sort()
  if (!license && files.length === 0) throw new Error(`${name} ${version} has no licence.`)
  const texts = await Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')))
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
}

/** The text is in the archives of Node and in its npm packages. */
async function readNodeNotice(): Promise<string> {
  const found = await readFile(join(dirname(process.execPath), '../LICENSE'), 'utf8').catch(() => '')
  const text = found.startsWith('Node.js is licensed')
    ? found
    : `MIT and others; the full text: https://github.com/nodejs/node/blob/${process.version}/LICENSE`
  return `Node.js ${process.version}\n\n${text}`
}
