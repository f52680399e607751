import { readNewJob } from '../new-job.ts'
import type { IppOperationRow } from '../operation.ts'

/** Checks what Print-Job and Create-Job check, and creates nothing. */
export const validateJob: IppOperationRow = {
  name: 'Validate-Job',
  handle: () => async (call) => {
    const { unsupported } = readNewJob(call)
    return { unsupported }
  },
}
