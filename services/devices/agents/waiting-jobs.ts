/**
 * Claims jobs for the streams of this replica when other services announce that jobs wait. By core NATS, so an
 * announcement can be lost.
 */
import { WAITING_JOBS_SUBJECT, type WaitingJobs } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from '../devices.ts'

export function listenForWaitingJobs(service: ServiceProcess, devices: Devices): void {
  const subscription = devices.nats.connection.subscribe(WAITING_JOBS_SUBJECT, {
    callback: (_error, message) => {
      for (const [computerId, jobId, destinationId] of message.json<WaitingJobs>()) {
        if (destinationId !== undefined) {
          devices.destinationTurns.announced([destinationId])
          continue
        }
        const dispatch = devices.connections.get(computerId)?.dispatch
        if (jobId === undefined) dispatch?.wake()
        else dispatch?.queued(jobId)
      }
    },
  })
  service.onStop('waiting jobs', () => subscription.unsubscribe())
}
