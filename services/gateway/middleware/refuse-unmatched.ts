import { ApiError } from '@platen/runtime/errors.ts'
import type { Step } from '../context.ts'

interface MatchedRoute {
  methods: string[]
}

/** The last step: refuses a request without a route. */
export const refuseUnmatched: Step = (ctx) => {
  const routes: MatchedRoute[] = ctx.matched ?? []
  if (routes.length === 0) throw new ApiError('not_found', 'This path does not exist. See `/docs`.')
  const allowed = [...new Set(routes.flatMap(({ methods }) => methods))].join(', ')
  ctx.set('Allow', allowed)
  throw new ApiError('method_not_allowed', `This path supports only ${allowed}.`)
}
