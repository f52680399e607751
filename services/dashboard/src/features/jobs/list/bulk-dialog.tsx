import { CANCELLABLE_STATES } from '@platen/resources/job-states.ts'
import { useRef, useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import { reprintCall } from '../../../api/reprint.ts'
import { isFinal } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { newId } from '../../../ui/new-id.ts'

const AT_ONCE = 4
/** Between the starts of requests, which keeps them below the rate limit of 20 each second. */
const GAP_MS = 80

type Action = 'cancel' | 'reprint'

interface Outcome {
  id: string
  title: string
  /** Undefined after a success. */
  failure?: string
}

const TEXTS = {
  cancel: {
    title: (jobs: string) => `Cancel ${jobs}?`,
    start: 'Cancel jobs',
    done: 'cancelled',
  },
  reprint: {
    title: (jobs: string) => `Print ${jobs} again?`,
    start: 'Print again',
    done: 'created',
  },
} as const

/** Asks, runs the action for each job that it can change, and lists what became of each. */
export function BulkDialog({ action, ids: selected, onClose }: { action: Action; ids: string[]; onClose(): void }) {
  const live = useLive()
  const { mode } = live
  // The jobs of the question: jobs end meanwhile.
  const [{ ids, note }] = useState(() => (action === 'cancel' ? findCancellable(live, selected) : REPRINTS(selected)))
  const [outcomes, setOutcomes] = useState<Outcome[]>()
  const [isRunning, setIsRunning] = useState(false)
  const stopping = useRef(new AbortController())
  const texts = TEXTS[action]
  const count = ids.length === selected.length ? ids.length : `${ids.length} of ${selected.length}`
  const jobs = `${count} ${mode} ${selected.length === 1 ? 'job' : 'jobs'}`

  const run = async () => {
    setIsRunning(true)
    const found: Outcome[] = []
    const waiting = [...ids]
    const { signal } = stopping.current
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
        const title = live.resources.get('printjob', id)?.title ?? id
        const [failure] = await Promise.all([
          runOne(live, action, id),
          new Promise((go) => setTimeout(go, AT_ONCE * GAP_MS)),
        ])
        found.push({ id, title, ...(failure !== undefined && { failure }) })
        setOutcomes([...found])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    setIsRunning(false)
    const failed = found.filter(({ failure }) => failure !== undefined).length
    announce(`${found.length - failed} ${texts.done}, ${failed} failed`)
  }

  if (!outcomes && !isRunning)
    return (
      <Dialog title={texts.title(jobs)} onClose={onClose}>
        <p className="text-sm text-muted">{note}</p>
        <DialogButtons>
          <Button onClick={onClose}>{action === 'cancel' ? 'Keep the jobs' : 'Cancel'}</Button>
          <Button variant={action === 'cancel' ? 'danger' : 'primary'} disabled={ids.length === 0} onClick={run}>
            {texts.start}
          </Button>
        </DialogButtons>
      </Dialog>
    )
  const done = outcomes ?? []
  const failed = done.filter(({ failure }) => failure !== undefined)
  return (
    <Dialog title={`${done.length} of ${ids.length} jobs`} onClose={isRunning ? undefined : onClose} isWide>
      <progress className="w-full" aria-label="Progress" value={done.length} max={ids.length} />
      <p className="text-sm">
        {done.length - failed.length} {texts.done}, {failed.length} failed
      </p>
      <ul className="max-h-80 overflow-auto rounded-md border text-sm">
        {[...failed, ...done.filter(({ failure }) => failure === undefined)].map(({ id, title, failure }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 border-b px-3 py-1.5 last:border-0">
            <span>{title}</span>
            <span className={failure === undefined ? 'text-ok' : 'text-error'}>{failure ?? texts.done}</span>
          </li>
        ))}
      </ul>
      <DialogButtons>
        {isRunning ? (
          <Button onClick={() => stopping.current.abort()}>Stop</Button>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}

const REPRINTS = (ids: string[]) => ({
  ids,
  note: 'Each becomes a new job with the same document, printer and options.',
})

/** The jobs that can still be cancelled, and why the others cannot. */
function findCancellable({ resources }: ReturnType<typeof useLive>, ids: string[]) {
  const jobs = ids.map((id) => ({ id, job: resources.get('printjob', id) }))
  const found = jobs.filter(({ job }) => !job || CANCELLABLE_STATES.includes(job.state))
  const ended = jobs.filter(({ job }) => job && isFinal(job)).length
  const received = jobs.length - found.length - ended
  const note = [
    ended > 0 && (ended === 1 ? '1 has ended.' : `${ended} have ended.`),
    received > 0 && `${received} ${received === 1 ? 'is' : 'are'} at the computer and cannot be cancelled any more.`,
    found.length > 0 &&
      `${found.length === jobs.length ? 'They are' : 'The others are'} not printed, and can be printed again later.`,
  ]
  return { ids: found.map(({ id }) => id), note: note.filter(Boolean).join(' ') }
}

/** @returns why it failed, or undefined. */
async function runOne(live: ReturnType<typeof useLive>, action: Action, id: string): Promise<string | undefined> {
  try {
    if (action === 'cancel') {
      const job = await live.send((api) => api.POST('/v1/printjobs/{id}/cancel', { params: { path: { id } } }))
      live.resources.put('printjob', job)
      return undefined
    }
    const job =
      live.resources.get('printjob', id) ??
      (await live.send((api) => api.GET('/v1/printjobs/{id}', { params: { path: { id } } })))
    live.resources.put('printjob', await live.send(reprintCall(job, newId())))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
