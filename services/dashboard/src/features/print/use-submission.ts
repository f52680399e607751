import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiFailure } from '../../api/failure.ts'
import { useLive } from '../../api/live.tsx'
import { createJobCall, type NewJob } from '../../api/new-job.ts'
import type { Job } from '../../api/resources.ts'
import { announce } from '../../ui/announce.tsx'
import { newId } from '../../ui/new-id.ts'

/** Creates one job for each intention, also after a double click or a lost answer. */
export function useSubmission(onCreated: (job: Job, sent: NewJob) => void) {
  const { send, resources, mode, feed } = useLive()
  const idempotencyKey = useRef(newId())
  const isRunning = useRef(false)
  const mutation = useMutation({
    mutationFn: async (toBody: () => Promise<NewJob>) => {
      // Otherwise its first events could be missed.
      await feed.opened
      const body = await toBody()
      return { body, job: await send(createJobCall(body, idempotencyKey.current)) }
    },
    onSuccess({ body, job }) {
      idempotencyKey.current = newId()
      resources.put('printjob', job)
      announce(`Created the ${mode} job ${job.title}`)
      onCreated(job, body)
    },
    // After an unknown result the same key finds the job that may exist. After a refusal there is none.
    onError(error) {
      if (error instanceof ApiFailure && error.status >= 400 && error.status < 500) idempotencyKey.current = newId()
    },
    onSettled: () => {
      isRunning.current = false
    },
  })
  const submit = (toBody: () => Promise<NewJob>) => {
    if (isRunning.current) return
    isRunning.current = true
    mutation.mutate(toBody)
  }
  return { ...mutation, submit, idempotencyKey: idempotencyKey.current }
}
