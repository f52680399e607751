import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLive, useResource } from '../../api/live.tsx'
import type { Job, Printer } from '../../api/resources.ts'
import { DocumentPreview } from '../../preview/document-preview.tsx'
import { findIgnored } from '../../preview/ignored-options.ts'
import { findPaper } from '../../preview/paper.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'

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
        {isOpen && <OpenDocument job={job} />}
      </div>
    </section>
  )
}

function OpenDocument({ job }: { job: Job }) {
  const { id, title, printerId, options, qty } = job
  const { key, send } = useLive()
  const document = useQuery({
    queryKey: [...key, 'document', id],
    queryFn: async ({ signal }) => {
      const content = await send(
        (api) => api.GET('/v1/printjobs/{id}/document', { params: { path: { id } }, parseAs: 'arrayBuffer' }),
        signal,
      )
      return { name: toFileName(title, job.contentType), bytes: new Uint8Array(content) }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Documents are large, and stay in memory only while they are shown.
    gcTime: 0,
  })
  const printer = useQuery({
    queryKey: [...key, 'printer-papers', printerId],
    queryFn: async ({ signal }) =>
      (await send((api) => api.GET('/v1/printers/{id}', { params: { path: { id: printerId } } }), signal)) as Printer,
    retry: false,
    enabled: Boolean(options.paper),
  })
  const known = useResource('printer', printerId)
  if (document.isError)
    return (
      <ErrorPanel title="The document could not be loaded." error={document.error} onRetry={() => document.refetch()} />
    )
  if (!document.data || printer.isLoading) return <Loading label="Loading the document …" />
  const ignored = findIgnored(job)
  return (
    <DocumentPreview
      document={document.data}
      options={options}
      ignored={ignored}
      qty={qty}
      paper={ignored.includes('paper') ? undefined : findPaper(printer.data ?? known, options.paper)}
    />
  )
}

const toFileName = (title: string, contentType: string) =>
  `${title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'document'}.${contentType.startsWith('raw') ? 'bin' : 'pdf'}`
