/**
 * The pages of the site: all of `docs/`, and every file that they link to, for example `SECURITY.md` or a contract. The
 * files stay where readers of the repository expect them, so links are rewritten to the paths of the pages.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
/** The table of contents: the first page, the sidebar and `llms.txt`. */
const CONTENTS = 'docs/README.md'

const FENCE = /(^ *(?:```|~~~)[\s\S]*?^ *(?:```|~~~)$)/m
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)/g
const IMAGE = /\.(png|webp|svg)$/

export interface Page {
  /** Relative to the root of the repository. */
  source: string
  /** Relative to `/docs/`, with the ending `.md`. */
  path: string
  /** Markdown. */
  text: string
}

export interface Pages {
  pages: Page[]
  /** Paths of pictures, by their source. */
  images: Map<string, string>
}

/** @throws for a link to a missing file. */
export function collectPages(): Pages {
  const pages = new Map<string, Page>()
  const images = new Map<string, string>()
  const waiting = globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/site/**'] }).toSorted()
  for (const source of waiting) {
    if (pages.has(source)) continue
    const follow = (target: string) => {
      if (IMAGE.test(target)) images.set(target, toPath(target))
      else waiting.push(target)
    }
    const text = readFileSync(join(ROOT, source), 'utf8')
    pages.set(source, {
      source,
      path: toPath(source),
      text: source.endsWith('.md') ? rewriteLinks(source, text, follow) : toCode(source, text),
    })
  }
  return { pages: [...pages.values()], images }
}

/** `docs/agent.md` is `agent.md`, a README is the page of its folder, another file keeps its path. */
function toPath(source: string): string {
  if (source === 'README.md') return 'start.md'
  const path = source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
  return path.endsWith('.md') || IMAGE.test(path) ? path : `${path}.md`
}

const toCode = (source: string, text: string) =>
  `# ${posix.basename(source)}\n\n\`\`\`${posix.extname(source).slice(1)}\n${text.trimEnd()}\n\`\`\`\n`

/**
 * @param follow is called with each linked file. A folder without a README has no page, so its link becomes plain text.
 */
function rewriteLinks(source: string, text: string, follow: (target: string) => void): string {
  const rewrite = (link: string, mark: string, title: string, href: string, anchor = '') => {
    let target = posix.join(posix.dirname(source), href)
    if (!existsSync(join(ROOT, target))) throw new Error(`${source}: the target of ${link} does not exist.`)
    if (statSync(join(ROOT, target)).isDirectory()) {
      target = posix.join(target, 'README.md')
      if (!existsSync(join(ROOT, target))) return title
    }
    follow(target)
    const path = posix.relative(posix.dirname(toPath(source)), toPath(target))
    return `${mark}[${title}](${path.startsWith('.') ? path : `./${path}`}${anchor})`
  }
  return text
    .split(FENCE)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(LINK, rewrite) : part))
    .join('')
}

/** Anchors of rules. An anchor at the beginning of a line can be behind an empty line, which is kept. */
const ANCHORS = /(?:(?<=[^\n])\n *| +)?<a id="[^"]*"><\/a>/g

/** The Markdown that is served: without anchors, which are a fifth of some pages and lead nowhere in a text. */
export const toMarkdown = (text: string): string =>
  text
    .split(FENCE)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(ANCHORS, '') : part))
    .join('')

export interface Section {
  title: string
  /** The heading of readers, or of a subject within their part. */
  level: 2 | 3
  pages: { title: string; path: string; description: string }[]
}

/** The tables of the contents, in their order. */
export function readContents({ pages }: Pages): Section[] {
  const contents = pages.find(({ source }) => source === CONTENTS)?.text ?? ''
  const sections: Section[] = []
  for (const line of contents.split('\n')) {
    const [, marks = '', heading = ''] = /^(#{2,3}) (.+)$/.exec(line) ?? []
    if (heading) sections.push({ title: heading, level: marks.length === 2 ? 2 : 3, pages: [] })
    const [, title = '', path = '', description = ''] =
      /^\| \[([^\]]+)\]\(\.\/([^)]+\.md)\) \| (.*) \|$/.exec(line) ?? []
    if (path) sections.at(-1)?.pages.push({ title, path, description })
  }
  return sections.filter(({ pages }) => pages.length > 0)
}
