import { getCaller } from '../../context.ts'
import type { Route } from '../route.ts'
import { accountId } from '../to-json.ts'

/** Programs check the key by it. Fields without a meaning here are empty. */
export const whoami: Route = {
  method: 'GET',
  paths: ['whoami'],
  scope: null,
  handle:
    ({ devices }) =>
    async ({ ctx, tenant }) => {
      const { organization } = getCaller(ctx)
      const { count } = await devices.countComputers(tenant)
      return {
        id: accountId(organization.id),
        firstname: organization.name,
        lastname: '',
        email: '',
        canCreateSubAccounts: false,
        creatorEmail: null,
        creatorRef: null,
        childAccounts: [],
        credits: null,
        numComputers: count,
        totalPrints: 0,
        versions: [],
        connected: [],
        Tags: [],
        ApiKeys: [],
        state: 'active',
        permissions: ['Unrestricted'],
      }
    },
}
