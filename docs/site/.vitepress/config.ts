/** The site. Its scripts are files, because the policy of the gateway permits no others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { collectPages, ROOT, readContents } from '../collect-pages.ts'
import { toSlug } from '../slug.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
/** Swagger UI, which the gateway serves beside the site. */
const OPERATIONS: DefaultTheme.NavItemWithLink = { text: 'Operations', link: '/openapi/', target: '_self' }

function toSidebar(): DefaultTheme.SidebarItem[] {
  const parts: DefaultTheme.SidebarItem[] = []
  for (const { title: text, level, pages } of readContents(collectPages())) {
    const items = pages.map(({ title, path }) => ({ text: title, link: `/${path}` }))
    if (level === 2) parts.push({ text, items, collapsed: false })
    else parts.at(-1)?.items?.push({ text, items, collapsed: true })
  }
  return parts
}

export default defineConfig({
  title: 'Platen',
  description: 'Platen is a self-hosted cloud printing service.',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  // Set by docs/site/build.ts.
  srcDir: process.env.PLATEN_SITE_PAGES ?? '',
  cacheDir: `${process.env.PLATEN_SITE_PAGES}/.cache`,
  // Its script would be inline.
  appearance: false,
  metaChunk: true,
  vite: { build: { target: 'es2022', chunkSizeWarningLimit: 2_000 }, logLevel: 'warn' },
  markdown: { anchor: { slugify: toSlug }, theme: 'github-light' },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  transformHead: ({ pageData: { relativePath } }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `/docs/${relativePath}` }],
  ],
  transformHtml: (html) => html.replace(/ *<script id="check-mac-os">.*?<\/script>\n?/, ''),
  themeConfig: {
    nav: [{ text: 'Documentation', link: '/' }, OPERATIONS, { text: version, link: '/CHANGELOG' }],
    sidebar: toSidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
