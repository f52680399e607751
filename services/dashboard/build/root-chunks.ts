import type { Plugin, Rolldown } from 'vite'

/**
 * The only CommonJS module of the shell. The functions of the bundler for such modules would be a third file if two
 * chunks had one.
 */
const COMMON_JS = /use-sync-external-store/
const SIGN_IN = /\/src\/signin\.tsx$/
/** The application, and the small parts that its pages share. */
const SHELL =
  /\/src\/(main\.tsx|(api|ui)\/.*|features\/(devices\/[^/]*|jobs\/job-[^/]*|webhooks\/(deliver[^/]*|health|words)[^/]*|usage\/statistics\/figure[^/]*))$/

/**
 * Makes two files of the scripts of the first load, because a request costs more than the parts that a page does not
 * need: `base` has Preact and all that the sign-in page loads, `shell` the rest of the application.
 */
export function rootChunks(): Plugin {
  const base = new Set<string>()
  const findBase = (id: string, ctx: Rolldown.ChunkingContext): void => {
    if (base.has(id)) return
    if (!SIGN_IN.test(id)) base.add(id)
    for (const imported of ctx.getModuleInfo(id)?.importedIds ?? []) findBase(imported, ctx)
  }
  return {
    name: 'root-chunks',
    apply: 'build',
    buildEnd() {
      for (const id of this.getModuleIds()) if (SIGN_IN.test(id)) findBase(id, this as never)
    },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        groups: [
          { name: 'base', test: (id) => base.has(id) || COMMON_JS.test(id), priority: 1 },
          { name: 'shell', test: SHELL },
        ],
      },
    }),
  }
}
