import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { useLive, useResource } from '../../../api/live.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { setJobOrder } from '../job-order.ts'
import { JobState } from '../job-state.tsx'

const JobBrief = lazy(async () => ({ default: (await import('../page/job-brief.tsx')).JobBrief }))

/** The width of the class names below. */
const WIDE = '(min-width: 64rem)'

/**
 * On narrow screens the list has no place beside it. A panel that is open when the window becomes narrow moves below
 * the list.
 */
export const hasPanel = () => matchMedia(WIDE).matches

interface JobPanelProps {
  id: string
  /** Ids of the jobs in the list. */
  ids: string[]
  onShow(id: string): void
  onClose(): void
}

/** Side panel with the result of one job. Non-modal. */
export function JobPanel({ id, ids, onShow, onClose }: JobPanelProps) {
  const { mode } = useLive()
  const job = useResource('printjob', id)
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => ref.current?.focus(), [])
  useLayoutEffect(() => {
    const closeByEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('dialog[open]')) onClose()
    }
    document.addEventListener('keydown', closeByEscape)
    return () => document.removeEventListener('keydown', closeByEscape)
  }, [onClose])
  const index = ids.indexOf(id)
  const step = (label: string, key: string, Icon: typeof X, to: string | undefined) => (
    <Button
      variant="quiet"
      className="min-h-7 px-1.5"
      aria-label={label}
      title={label}
      aria-keyshortcuts={key}
      disabled={to === undefined}
      onClick={() => to && onShow(to)}
    >
      <Icon size={15} aria-hidden />
    </Button>
  )
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Job beside the list"
      className="flex flex-col gap-3 p-4 outline-none max-lg:border-t lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:border-l"
    >
      <div className="flex items-start gap-1">
        <h2 className="mr-auto min-w-0 text-base font-semibold">
          <Link
            to="/$mode/jobs/$jobId"
            params={{ mode, jobId: id }}
            preload={false}
            onClick={() => setJobOrder(ids)}
            className="line-clamp-2 hover:underline"
          >
            {job?.title ?? 'Print job'}
          </Link>
        </h2>
        {step('Previous job', 'k', ChevronUp, ids[index - 1])}
        {step('Next job', 'j', ChevronDown, index < 0 ? undefined : ids[index + 1])}
        <Button variant="quiet" className="min-h-7 px-1.5" aria-label="Close" title="Close" onClick={onClose}>
          <X size={15} aria-hidden />
        </Button>
      </div>
      {job && <JobState state={job.state} />}
      <Suspense fallback={<Loading />}>
        <JobBrief key={id} id={id} />
      </Suspense>
    </section>
  )
}
