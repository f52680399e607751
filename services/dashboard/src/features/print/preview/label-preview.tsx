import { PREVIEW_MAX_BYTES } from '@platen/resources/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLive } from '../../../api/live.tsx'
import { toBase64 } from '../../../api/new-job.ts'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { newId } from '../../../ui/new-id.ts'

const EVENTS = { cut: 'The paper is cut', drawer: 'The cash drawer opens', buzzer: 'The buzzer sounds' }

/** What a label or receipt printer prints of the bytes, drawn by the service. */
export function LabelPreview({ bytes }: { bytes: Uint8Array<ArrayBuffer> }) {
  const { key, send } = useLive()
  const id = useMemo(() => (bytes ? newId() : ''), [bytes])
  const isSmall = bytes.length <= PREVIEW_MAX_BYTES
  const preview = useQuery({
    queryKey: [...key, 'preview', id],
    queryFn: async ({ signal }) => {
      const content = await toBase64(bytes)
      return await send((api) => api.POST('/v1/previews', { body: { contentType: 'raw_base64', content } }), signal)
    },
    enabled: isSmall,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The pictures can be large, and stay in memory only while they are shown.
    gcTime: 0,
  })
  if (!isSmall) return <p className="text-sm text-muted">Documents of more than 1 MB have no picture.</p>
  if (preview.isError)
    return (
      <ErrorPanel title="The document could not be drawn." error={preview.error} onRetry={() => preview.refetch()} />
    )
  if (!preview.data) return <Loading label="Drawing the document …" />
  const { pages } = preview.data
  const warnings = pages.flatMap((page) => page.warnings)
  const events = pages.flatMap((page) => page.events)
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="Pictures" className="flex max-h-[40rem] flex-wrap items-start gap-4 overflow-auto bg-raised p-4">
        {pages.map(({ svg, widthMm, heightMm }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages have no identity but their order
          <li key={index}>
            <Picture svg={svg} name={`Page ${index + 1} of ${pages.length}, ${widthMm} × ${heightMm} mm`} />
          </li>
        ))}
      </ul>
      {events.length > 0 && (
        <p className="text-sm text-muted">
          {events.map(({ kind, atMm }) => `${EVENTS[kind]} at ${atMm} mm.`).join(' ')}
        </p>
      )}
      {warnings.length > 0 && (
        <section aria-label="Not in the picture" className="text-sm">
          <h3 className="font-medium">Not in the picture</h3>
          <ul>
            {warnings.map(({ offset, message }) => (
              <li key={`${offset} ${message}`}>
                {message} <span className="text-muted">(byte {offset})</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** It is shown as an image, in which scripts and links have no effect. */
function Picture({ svg, name }: { svg: string; name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })), [svg])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return <img src={url} alt={name} title={name} className="max-h-[36rem] max-w-full border" />
}
