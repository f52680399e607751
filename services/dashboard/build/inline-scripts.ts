import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minify, type Plugin, transformWithOxc } from 'vite'

const MARKED = /<script inline src="([^"]+)"><\/script>/g

/**
 * Replaces `<script inline src="src/….ts">` by the script, which runs before any file is loaded. It can import types
 * only. The gateway permits it by the hash of its text.
 *
 * @param root the directory of the HTML.
 */
export function inlineScripts(root: string): Plugin {
  return {
    name: 'inline-scripts',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const scripts = new Map<string, string>()
        for (const [, source = ''] of html.matchAll(MARKED)) scripts.set(source, await toScript(join(root, source)))
        return html.replaceAll(MARKED, (_, source: string) => `<script>${scripts.get(source)}</script>`)
      },
    },
  }
}

/** Its variables are not those of the page. */
async function toScript(path: string): Promise<string> {
  const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, { sourcemap: false })
  // What is left of exported types.
  const { code: script, errors } = await minify(path, `{${code.replace(/^export \{\s*\};?$/m, '')}}`, { module: false })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return script.trim()
}
