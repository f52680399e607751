/**
 * `GET /agents/`: the packages of the agent and the scripts that install them. Public, because a computer has no
 * credential before its agent is enrolled.
 */
import { countUnfinished } from '@platen/runtime/packages.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { describePackages, sendPackage } from './packages.ts'

const NO_PACKAGES =
  'This installation offers no packages of the agent yet, or builds them at the moment: see `building` at `/agents/`. Its operator builds them with `npm run package:agent` in the clone of Platen: see `/docs/agent-packages`.'

/** The list for the dashboard and for programs. */
export const listAgentPackages =
  ({ agentPackages, installation }: Gateway): RouteStep =>
  async (ctx) => {
    ctx.set('Cache-Control', 'no-cache')
    const building = agentPackages && (await countUnfinished(agentPackages.directory))
    ctx.body = { ...(await describePackages(agentPackages)), building: building ?? null, installation }
  }

export const sendAgentPackage = ({ agentPackages }: Gateway): RouteStep =>
  sendPackage(agentPackages, {
    list: NO_PACKAGES,
    file: () => 'This installation has no such package of the agent. See `/agents/`.',
  })
