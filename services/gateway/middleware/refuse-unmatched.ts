import type Router from '@koa/router'
import { quoted } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestState, Step } from '../context.ts'

interface MatchedRoute {
  methods: string[]
}

/** The last step: refuses a request without a route. */
export function refuseUnmatched(router: Router<RequestState>): Step {
  return (ctx) => {
    const routes: MatchedRoute[] = ctx.matched ?? []
    if (routes.length === 0) {
      const similar = findSimilar(router, ctx.path, ctx.method)
      throw new ApiError(
        'not_found',
        `This path does not exist${similar ? `; ${quoted(similar)} does` : ''}. See \`/docs/\`, or \`/docs/llms.txt\` for programs.`,
      )
    }
    const allowed = [...new Set(routes.flatMap(({ methods }) => methods))].join(', ')
    ctx.set('Allow', allowed)
    const isCancelled = ctx.method === 'DELETE' && router.match(`${ctx.path}/cancel`, 'POST').route
    const remedy = isCancelled ? ` Send \`POST ${ctx.path}/cancel\` to cancel it.` : ''
    throw new ApiError('method_not_allowed', `This path supports only ${allowed}.${remedy}`)
  }
}

/** @returns a path of a route that differs only by slashes, by case, or by a `/v1` that is missing or there twice. */
function findSimilar(router: Router<RequestState>, path: string, method: string): string | undefined {
  const segments = path.toLowerCase().split('/').filter(Boolean)
  const first = segments.findIndex((segment) => segment !== 'v1')
  if (first < 0) return undefined
  const candidates = [segments, ['v1', ...segments.slice(first)]].map((parts) => `/${parts.join('/')}`)
  return candidates.find((candidate) => router.match(candidate, method).route)
}
