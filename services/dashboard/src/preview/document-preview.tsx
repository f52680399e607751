import { lazy, Suspense, useEffect, useMemo } from 'react'
import type { LocalDocument } from '../api/new-job.ts'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/loading.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { detectFormat } from './detect-format.ts'
import type { PdfPreviewProps } from './pdf-preview.tsx'
import { RawPreview } from './raw-preview.tsx'

const PdfPreview = lazy(async () => ({ default: (await import('./pdf-preview.tsx')).PdfPreview }))

type DocumentPreviewProps = Omit<PdfPreviewProps, 'bytes'> & {
  document: LocalDocument
  /** Names of options that the printer does not apply. */
  ignored?: string[]
}

/** A document as it is printed, as text and in hexadecimal. Everything happens in the browser. */
export function DocumentPreview({ document, ignored = [], options, ...sheets }: DocumentPreviewProps) {
  const { bytes, name } = document
  const format = useMemo(() => detectFormat(bytes), [bytes])
  const applied = useMemo(
    () => Object.fromEntries(Object.entries(options).filter(([option]) => !ignored.includes(option))),
    [options, ignored],
  )
  const dropped = Object.entries(options).filter(([option, value]) => ignored.includes(option) && value !== null)
  return (
    <div className="flex flex-col gap-3">
      {format !== 'PDF' && (
        <p className="text-sm text-muted">
          {format ? `${format} data.` : 'Raw data of an unknown format.'} The dashboard has no picture of it.
        </p>
      )}
      {dropped.length > 0 && (
        <p className="text-sm text-muted">
          Ignored by the printer:{' '}
          {dropped.map(([option, value]) => (
            <s key={option} className="mr-2">
              {option} {String(value)}
            </s>
          ))}
        </p>
      )}
      <Tabs
        key={format}
        label="Document"
        tabs={[
          ...(format === 'PDF'
            ? [
                {
                  label: 'Picture',
                  content: (
                    <Suspense fallback={<Loading label="Loading the preview …" />}>
                      <PdfPreview bytes={bytes} options={applied} {...sheets} />
                    </Suspense>
                  ),
                },
              ]
            : []),
          { label: 'Text', content: <RawPreview bytes={bytes} isHex={false} /> },
          { label: 'Hex', content: <RawPreview bytes={bytes} isHex /> },
          { label: 'Download', content: <Download document={{ bytes, name }} /> },
        ]}
      />
    </div>
  )
}

/** By a link to a blob. The document itself is never opened as a page. */
function Download({ document: { bytes, name } }: { document: LocalDocument }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' })), [bytes])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  const save = () => {
    const link = globalThis.document.createElement('a')
    link.href = url
    link.download = name
    link.click()
  }
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <Button onClick={save}>Download {name}</Button>
      <span className="text-muted">
        {bytes.length.toLocaleString()} bytes. Documents are untrusted: open them with care.
      </span>
    </div>
  )
}
