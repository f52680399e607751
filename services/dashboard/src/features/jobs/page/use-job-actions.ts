import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { Call } from '../../../api/client.ts'
import { useLive } from '../../../api/live.tsx'
import { reprintCall } from '../../../api/reprint.ts'
import type { Job } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { newId } from '../../../ui/new-id.ts'
import type { Explanation } from './use-explanation.ts'

export type JobActions = ReturnType<typeof useJobActions>

/** What is asked before an action. */
type Question = 'cancel' | 'reprint'

interface PrintAgain {
  /** Another printer. */
  printerId?: string
  /** Whether this job, which waits, is cancelled before. If that fails, nothing is printed. */
  cancelsFirst?: boolean
}

/** What can be done with a job. The calls are also shown as commands. `ActionDialog` shows the question. */
export function useJobActions(job: Job, paper: Explanation['paper']) {
  const { send, resources, mode } = useLive()
  const navigate = useNavigate()
  const [question, setQuestion] = useState<Question>()
  // One for each intention: a request that is repeated after a lost answer creates no second job.
  const idempotencyKey = useRef(newId())
  const isRunning = useRef(false)

  const calls = useMemo(() => {
    const params = { path: { id: job.id } }
    return {
      cancel: ((api) => api.POST('/v1/printjobs/{id}/cancel', { params })) as Call<Job>,
      release: ((api) => api.POST('/v1/printjobs/{id}/release', { params })) as Call<Job>,
      explain: ((api) => api.GET('/v1/printjobs/{id}/explanation', { params })) as Call<unknown>,
      reprint: reprintCall(job, idempotencyKey.current),
    }
  }, [job])

  const reprint = useMutation({
    async mutationFn({ printerId, cancelsFirst = false }: PrintAgain) {
      if (cancelsFirst) resources.put('printjob', await send(calls.cancel))
      return await send(reprintCall(job, idempotencyKey.current, printerId))
    },
    onSuccess(created) {
      idempotencyKey.current = newId()
      resources.put('printjob', created)
      announce(`Created the ${mode} job ${created.title}`)
      void navigate({ to: '/$mode/jobs/$jobId', params: { mode, jobId: created.id } })
    },
    onSettled() {
      isRunning.current = false
    },
  })
  /** A second click of a double click comes before the button is disabled. */
  const printAgain = (options: PrintAgain = {}) => {
    setQuestion(undefined)
    if (isRunning.current) return
    isRunning.current = true
    reprint.mutate(options)
  }
  const cancel = useMutation({
    mutationFn: () => send(calls.cancel),
    onMutate: () => setQuestion(undefined),
    onSuccess(cancelled) {
      resources.put('printjob', cancelled)
      announce(`Cancelled ${cancelled.title}`)
    },
  })
  const release = useMutation({
    mutationFn: () => send(calls.release),
    onSuccess(released) {
      resources.put('printjob', released)
      announce(`Released ${released.title}`)
    },
  })
  /** Asks first if a sheet may be there already, or may still come. */
  const askToPrint = () => {
    if (paper === 'none') printAgain()
    else setQuestion('reprint')
  }
  const askToCancel = () => setQuestion('cancel')
  return {
    calls,
    reprint,
    cancel,
    release,
    printAgain,
    askToPrint,
    askToCancel,
    question,
    close: () => setQuestion(undefined),
  }
}
