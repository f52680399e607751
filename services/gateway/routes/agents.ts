/**
 * `GET /agents/`: the packages of the agent and the scripts that install them. Public, because a computer has no credential before its agent
 * is enrolled.
 */
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { describePackages, sendPackage } from './packages.ts'

const NO_PACKAGES =
  'This installation offers no packages of the agent yet. Its operator builds them with `npm run package:agent` in the clone of Platen: see `/docs/agent-packages`.'

/** The list for the dashboard and for programs. */
export const listAgentPackages =
  ({ agentPackages, installation }: Gateway): RouteStep =>
  async (ctx) => {
    ctx.set('Cache-Control', 'no-cache')
    ctx.body = { ...(await describePackages(agentPackages)), installation }
  }

export const sendAgentPackage = ({ agentPackages }: Gateway): RouteStep =>
  sendPackage(agentPackages, {
    list: NO_PACKAGES,
    file: () => 'This installation has no such package of the agent. See `/agents/`.',
  })
