import { recognize } from '@platen/resources/document-format.ts'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import type { LocalDocument } from '../../../api/new-job.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { PdfPreviewProps } from './pdf-preview.tsx'
import { RawPreview } from './raw-preview.tsx'

const LabelPreview = lazy(async () => ({ default: (await import('./label-preview.tsx')).LabelPreview }))
const PdfPreview = lazy(async () => ({ default: (await import('./pdf-preview.tsx')).PdfPreview }))

const ImagePreview = lazy(async () => ({ default: (await import('./image-preview.tsx')).ImagePreview }))

/** The types of images that browsers draw. */
const IMAGE_TYPES: Record<string, string> = {
  PNG: 'image/png',
  JPEG: 'image/jpeg',
  GIF: 'image/gif',
  WebP: 'image/webp',
}

/** The languages of label and receipt printers that the service draws. */
const DRAWN_FORMATS = new Set(['ZPL', 'ESC/POS'])

type DocumentPreviewProps = Omit<PdfPreviewProps, 'bytes'> & {
  document: LocalDocument
  /** Names of options that the printer does not apply. */
  ignored?: string[]
}

/**
 * A document as it is printed, as text and in hexadecimal. PDFs are drawn in the browser, labels and receipts by the
 * service.
 */
export function DocumentPreview({ document, ignored = [], options, ...sheets }: DocumentPreviewProps) {
  const { bytes, name } = document
  const { name: kind, format } = useMemo(() => recognize(bytes), [bytes])
  const applied = useMemo(
    () => Object.fromEntries(Object.entries(options).filter(([option]) => !ignored.includes(option))),
    [options, ignored],
  )
  const dropped = Object.entries(options).filter(([option, value]) => ignored.includes(option) && value !== null)
  const imageType = format === 'image' && kind ? IMAGE_TYPES[kind] : undefined
  const picture =
    format === 'pdf' ? (
      <PdfPreview bytes={bytes} options={applied} {...sheets} />
    ) : kind && DRAWN_FORMATS.has(kind) ? (
      <LabelPreview bytes={bytes} />
    ) : imageType ? (
      <ImagePreview bytes={bytes} type={imageType} />
    ) : undefined
  return (
    <div className="flex flex-col gap-3">
      {format === 'image' && (
        <p className="text-sm text-muted">
          {kind} image. The service converts it to a PDF that fits the paper, which the page of the job shows.
        </p>
      )}
      {!picture && format !== 'image' && (
        <p className="text-sm text-muted">
          {format ? `${kind} data.` : `This is ${kind ?? 'raw data of an unknown format'}.`} The dashboard has no
          picture of it.
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
        key={kind}
        label="Document"
        tabs={[
          ...(picture
            ? [
                {
                  label: 'Picture',
                  content: <Suspense fallback={<Loading label="Loading the preview …" />}>{picture}</Suspense>,
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

/** It saves the file by a link to a blob. The document itself is never opened as a page. */
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
