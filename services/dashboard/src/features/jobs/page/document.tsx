import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import type { Job } from '../../../api/resources.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'

const OpenDocument = lazy(async () => ({ default: (await import('./open-document.tsx')).OpenDocument }))

/** The stored document of a job. It is loaded when it is opened, because views of live documents are recorded. */
export function JobDocument({ job }: { job: Job }) {
  const { mode, isPermitted } = useLive()
  const [isOpen, setIsOpen] = useState(false)
  const mayRead = isPermitted('getPrintJobDocument')
  return (
    <section aria-label="Document" className="panel min-w-0">
      <h2 className="panel-title border-b px-4 py-2">Document</h2>
      <div className="flex flex-col gap-4 p-4">
        <div className="flex flex-wrap gap-2">
          {!isOpen && (
            <Button
              aria-keyshortcuts="p"
              onClick={() => setIsOpen(true)}
              disabledReason={mayRead ? undefined : 'Only owners and admins can read documents of live mode.'}
            >
              Show the document
            </Button>
          )}
          <Link to="/$mode/print" params={{ mode }} search={{ again: job.id }} className="button">
            Print with other options
          </Link>
        </div>
        {isOpen && (
          <Suspense fallback={<Loading label="Loading the document …" />}>
            <OpenDocument job={job} />
          </Suspense>
        )}
      </div>
    </section>
  )
}
