import type { Agent } from '../agent.ts'

/** Request key of Received. */
export const permissionKey = (jobId: string) => `received ${jobId}`

/** Sends Received until the server responds with Granted or Refused. The response is journaled by then. */
export async function requestPermission({ uplink, journal }: Agent, jobId: string): Promise<void> {
  await journal.durable()
  await uplink.request(permissionKey(jobId), () => ({
    message: { case: 'received', value: { jobId, attempt: journal.get(jobId)?.attempt } },
  }))
}
