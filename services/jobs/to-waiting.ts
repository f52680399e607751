import type { WaitingJobs } from '@platen/proto/subjects.ts'

export interface WaitingRow {
  computer_id: string
  waiting_destination_id: string | null
}

/** @returns the announcement of a job: to its destination if it waits for one, otherwise to its computer. */
export const toWaiting = ({ computer_id, waiting_destination_id }: WaitingRow, jobId?: string): WaitingJobs[number] => {
  if (waiting_destination_id !== null) return ['', '', waiting_destination_id]
  return jobId === undefined ? [computer_id] : [computer_id, jobId]
}
