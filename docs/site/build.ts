/**
 * Builds the documentation site into the directory that is its argument, whose `docs` the gateway serves at `/docs/`. A
 * link to a missing page or anchor fails the build. `deploy/launcher/build-web.ts` runs it; `npm run build:docs` builds
 * it if its sources differ from the last build.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { build } from 'vitepress'
import { compressFiles } from '../../services/dashboard/build/compress.ts'
import { collectPages, type Page, type Pages, ROOT, readContents, toMarkdown } from './collect-pages.ts'

const BASE = '/docs/'

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function copyImages({ images }: Pages, directory: string): void {
  for (const [source, path] of images) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    copyFileSync(join(ROOT, source), join(directory, path))
  }
}

/** The list of all pages for programs that read them: https://llmstxt.org. */
function toLlmsTxt(pages: Pages): string {
  const sections = readContents(pages).map(({ title, pages }) =>
    [
      `## ${title}`,
      '',
      ...pages.map(({ title, path, description }) => `- [${title}](${BASE}${path}): ${description}`),
    ].join('\n'),
  )
  const summary =
    '> Platen is a self-hosted cloud printing service: a program sends a document to a REST API, and an agent beside the printer prints it, once.'
  return [
    '# Platen',
    summary,
    `Every operation and field: [the OpenAPI document](/v1/openapi.json). All pages in one text: [llms-full.txt](${BASE}llms-full.txt).`,
    ...sections,
    '',
  ].join('\n\n')
}

/** All pages in one text, those of the contents first and in their order. */
function toLlmsFull(pages: Pages): string {
  const order = readContents(pages).flatMap(({ pages }) => pages.map(({ path }) => path))
  const position = ({ path }: Page) => (order.includes(path) ? order.indexOf(path) : order.length)
  const sorted = pages.pages.toSorted((a, b) => position(a) - position(b))
  return sorted.map(({ path, text }) => `<!-- ${BASE}${path} -->\n\n${toMarkdown(text).trimEnd()}\n`).join('\n')
}

/** @returns the links of built pages to missing anchors. VitePress itself finds missing pages only. */
function findDeadAnchors(directory: string): string[] {
  const files = globSync('**/*.html', { cwd: directory })
  const html = new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(directory, file), 'utf8')]))
  const ids = new Map([...html].map(([file, text]) => [file, new Set(text.match(/(?<= id=")[^"]+/g))]))
  const dead: string[] = []
  for (const [file, text] of html)
    for (const [, path = '', anchor = ''] of text.matchAll(/<a [^>]*?href="([^"#:]*)#([^"]+)"/g)) {
      const url = posix.resolve(`${BASE}${file}`, '..', path).slice(BASE.length)
      const target = [file, `${url}.html`, posix.join(url, 'index.html')].slice(path === '' ? 0 : 1)
      if (!target.some((one) => ids.get(one)?.has(decodeURIComponent(anchor)))) dead.push(`${file}: ${path}#${anchor}`)
    }
  return dead
}

const [out = ''] = process.argv.slice(2)
if (out === '') throw new Error('The argument must be the directory of the build.')
const source = `${out}-pages`
const directory = join(out, 'docs')
try {
  const pages = collectPages()
  for (const { path, text } of pages.pages) write(join(source, path), text)
  copyImages(pages, source)
  process.env.PLATEN_SITE_PAGES = source
  await build(import.meta.dirname, { outDir: directory })
  const dead = findDeadAnchors(directory)
  if (dead.length > 0) {
    console.error(`These links lead to missing anchors:\n${dead.join('\n')}`)
    process.exitCode = 1
  }
  for (const { path, text } of pages.pages) write(join(directory, path), toMarkdown(text))
  copyImages(pages, directory)
  write(join(directory, 'llms.txt'), toLlmsTxt(pages))
  write(join(directory, 'llms-full.txt'), toLlmsFull(pages))
  compressFiles(directory, ['.gz'])
} finally {
  rmSync(source, { recursive: true, force: true })
}
