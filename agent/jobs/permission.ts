import type { Agent } from '../agent.ts'

/** Under which the answer is awaited. */
export const permissionKey = (jobId: string) => `received ${jobId}`

/** Says Received until the server has said Granted or Refused, which by then is in the journal. */
export async function requestPermission({ uplink, journal }: Agent, jobId: string): Promise<void> {
  await journal.durable()
  await uplink.request(permissionKey(jobId), () => {
    const entry = journal.get(jobId)
    return {
      traceparent: entry?.traceparent,
      message: { case: 'received', value: { jobId, attempt: entry?.attempt } },
    }
  })
}
