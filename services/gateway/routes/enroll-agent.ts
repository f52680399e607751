/** `POST /v1/agents/enroll`: an agent trades an enrolment token. Source: decisions, "Computers and printers". */
import type { RequestContext, RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { AGENT_ENROLLMENT } from '../request/agent-enrollment.ts'
import { readJson } from '../request/read-json.ts'

export const ENROLL_PATH = '/v1/agents/enroll'

/** A use of the token is spent only by a body that is right. */
export function enrollAgent({ devices, agents }: Gateway): RouteStep {
  return async (ctx) => {
    const { previousCredential, ...computer } = await readJson(ctx, AGENT_ENROLLMENT)
    const token = ctx.state.enrollmentToken
    const { computerId, credential } = await devices.enroll({ token, credential: previousCredential, ...computer })
    ctx.status = 201
    ctx.body = { computerId, credential, agentUrl: agents.url ?? besides(ctx, agents.port) }
  }
}

/** On one machine agents connect where they enrol, at another port: by the very name that brought this one here. */
function besides(ctx: RequestContext, port: number): string {
  return `http://${ctx.hostname || 'localhost'}:${port}`
}
