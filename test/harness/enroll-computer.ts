import { type Api, expectStatus } from './api.ts'

/** What an agent says of its computer. */
export const COMPUTER = { hostname: 'till-1', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' }

export interface Computer {
  computerId: string
  credential: string
  /** The address that agents use. */
  agentUrl: string
}

/** @param api with the scope `admin`. */
export async function enrollComputer(api: Pick<Api, 'post'>): Promise<Computer> {
  const { token } = expectStatus(201, await api.post('/v1/enrollments', {}))
  return expectStatus(201, await api.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${token}` }))
}
