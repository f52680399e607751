import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { callerOf, type RouteStep } from '../context.ts'

/** Whose credential this is. Any valid one may ask. Source: decisions, "Identity and limits". */
export const whoami: RouteStep = (ctx) => {
  const { organization, apiKey } = callerOf(ctx)
  ctx.body = {
    organization: { id: organization.id, name: organization.name },
    mode: apiKey.mode,
    apiKey: {
      id: apiKey.id,
      name: apiKey.name,
      prefix: apiKey.prefix,
      scopes: apiKey.scopes,
      createdAt: timestampToJson(apiKey.createdAt),
    },
    user: null,
  }
}
