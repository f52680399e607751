import { join } from 'node:path'
import type { Api } from '@platen/test/harness/api.ts'
import { createServer } from 'vite'

/** @returns the paths of the table of pages, for example "/$mode/jobs/$jobId". */
export async function listRoutes(): Promise<string[]> {
  const root = join(import.meta.dirname, '../..')
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' })
  const { createAppRouter } = await vite.ssrLoadModule('/src/router.tsx')
  const { routesByPath } = createAppRouter(undefined)
  await vite.close()
  return Object.keys(routesByPath)
}

/** Pages that lead to another one, or that the session cannot see. */
const UNSHOWN = ['/', '/signin', '/go/$id']

export interface PagePath {
  /** "printers-printer" */
  name: string
  /** Below `/app`. */
  path: string
}

/** @returns the pages with the resources that exist. A page of a resource that does not exist is left out. */
export async function listPages(api: Api, mode: string, jobId: string): Promise<PagePath[]> {
  const first = async (path: string) => (await api.get(path)).body.data?.[0]?.id as string | undefined
  const webhookId = await first('/v1/webhooks')
  const values: Record<string, string | undefined> = {
    mode,
    jobId,
    printerId: await first('/v1/printers'),
    computerId: await first('/v1/computers'),
    webhookId,
    deliveryId: webhookId && (await first(`/v1/webhooks/${webhookId}/deliveries`)),
  }
  const routes = (await listRoutes()).filter((route) => !UNSHOWN.includes(route))
  return routes.flatMap((route) => {
    const parts = route.split('/').filter(Boolean)
    const isKnown = parts.every((part) => !part.startsWith('$') || values[part.slice(1)])
    if (!isKnown) return []
    const name = parts
      .filter((part) => part !== '$mode')
      .map((part) => part.replace(/^\$(.+?)(Id)?$/, '$1'))
      .join('-')
    return [{ name: name || 'overview', path: `/${parts.map((part) => values[part.slice(1)] ?? part).join('/')}` }]
  })
}
