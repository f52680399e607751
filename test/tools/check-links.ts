/**
 * Part of `npm run check`: fails for a link to a missing file, heading or rule. Checks relative links in Markdown, and
 * paths such as `docs/agent.md#files` in Markdown and code. Existing tools know neither the rules (`<a id="…">`) nor
 * comments.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toSlug } from '../../docs/site/slug.ts'

process.chdir(join(import.meta.dirname, '../..'))
const IGNORED = /(^|\/)(node_modules|\.git|\.platen|dist|gen)$/
const FENCE = /^```.*?^```/gms
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g
const PATH = /(?<![\w./])(docs\/[\w./-]+\.md)(?:#([\w.-]*\w))?/g

function readAnchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(FENCE, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toSlug(heading))
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]
}

const files = globSync('**/*.{md,ts,mjs,proto,sh,ps1}', { exclude: (path) => IGNORED.test(path) })
const ignore = readFileSync('.dockerignore', 'utf8').split('\n')
const anchors = new Map(files.filter((file) => file.endsWith('.md')).map((file) => [file, readAnchors(file)]))

for (const file of files) {
  const text = readFileSync(file, 'utf8')
  const links = anchors.has(file) ? [...text.replaceAll(FENCE, '').matchAll(LINK)] : []
  const targets = links.map(([link, path, anchor]) => [link, path ? join(dirname(file), path) : file, anchor] as const)
  const paths = [...text.matchAll(PATH)].map(([link, path = '', anchor]) => [link, path, anchor] as const)
  // The image, which builds the pages of `docs`, has no other files of tests.
  for (const [link, target] of targets)
    if (file.startsWith('docs/') && target.startsWith('test/') && !ignore.includes(`!${target}`)) {
      console.error(`${file}: .dockerignore leaves out the target of ${link}.`)
      process.exitCode = 1
    }
  for (const [link, target, anchor] of [...targets, ...paths]) {
    if (existsSync(target) && (!anchor || anchors.get(target)?.includes(anchor))) continue
    console.error(`${file}: the target of ${link} does not exist.`)
    process.exitCode = 1
  }
}
