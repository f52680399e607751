import { useQuery } from '@tanstack/react-query'
import { useLive } from '../../../api/live.tsx'
import type { Job, Printer } from '../../../api/resources.ts'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { DocumentPreview } from '../../print/preview/document-preview.tsx'
import { findIgnored } from '../../print/preview/ignored-options.ts'
import { findPaper } from '../../print/preview/paper.ts'

export function OpenDocument({ job }: { job: Job }) {
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
    queryKey: [...key, 'printer-capabilities', printerId],
    queryFn: async ({ signal }) =>
      (await send((api) => api.GET('/v1/printers/{id}', { params: { path: { id: printerId } } }), signal)) as Printer,
    retry: false,
    // Raw data have no paper.
    enabled: !job.contentType.startsWith('raw'),
  })
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
      paper={ignored.includes('paper') ? undefined : findPaper(printer.data, options.paper)}
      raster={printer.data?.capabilities?.raster ?? undefined}
    />
  )
}

const toFileName = (title: string, contentType: string) =>
  `${title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'document'}.${contentType.startsWith('raw') ? 'bin' : 'pdf'}`
