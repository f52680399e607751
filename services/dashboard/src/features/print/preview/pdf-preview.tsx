import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Raster } from '../../../api/gen/schema.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { drawDots, layOutDrawn } from './drawn-page.ts'
import type { Paper } from './paper.ts'
import type { PdfDocument } from './pdf-document.ts'
import { countSheets, isDuplex, type Layout, layOut, type Page, type PrintOptions, plural, toSheets } from './sheets.ts'
import { usePdf } from './use-pdf.ts'

export interface PdfPreviewProps {
  bytes: Uint8Array
  /** The options that the printer applies. */
  options: PrintOptions
  qty: number
  /** Undefined for the printer's own paper. */
  paper: Paper | undefined
  /** The raster of a printer for which the agent draws the pages. */
  raster: Raster | undefined
}

/** The sheets of a PDF as they come out. */
export function PdfPreview({ bytes, ...sheets }: PdfPreviewProps) {
  const [attempt, setAttempt] = useState(0)
  const { pdf, error } = usePdf(bytes, attempt)
  const onRetry = () => setAttempt(attempt + 1)
  if (error) return <ErrorPanel title="The document cannot be shown." error={toReadable(error)} onRetry={onRetry} />
  if (!pdf) return <Loading label="Opening the document …" />
  return <Sheets key={attempt} pdf={pdf} {...sheets} onRetry={onRetry} />
}

/** What the agent does not draw. */
const WITHOUT_DRIVER: PrintOptions = { duplex: null, nup: null, color: null }

interface SheetsProps extends Omit<PdfPreviewProps, 'bytes'> {
  pdf: PdfDocument
  onRetry(): void
}

function Sheets({ pdf, options: given, qty, paper, raster, onRetry }: SheetsProps) {
  const [at, setAt] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const options = useMemo(() => (raster ? { ...given, ...WITHOUT_DRIVER } : given), [given, raster])
  const sheets = useMemo(() => toSheets(pdf.pageCount, options), [pdf, options])
  const index = Math.min(at, sheets.length - 1)
  const sheet = sheets[index]
  const [pages, setPages] = useState<Page[]>()
  useEffect(() => {
    let isCurrent = true
    pdf.getPages().then(
      (all) => isCurrent && setPages(all),
      (error) => isCurrent && setFailure(error),
    )
    return () => {
      isCurrent = false
    }
  }, [pdf])

  if (failure) return <ErrorPanel title="The document cannot be shown." error={toReadable(failure)} onRetry={onRetry} />
  if (!sheet)
    return <p className="text-sm">The document has none of the pages {options.pages}, so nothing would be printed.</p>
  const page = pages?.[(sheet.front[0] ?? 1) - 1] ?? pages?.[0]
  if (!page) return <Loading />
  const layout = raster
    ? layOutDrawn(page, raster, paper, options)
    : layOut(page, paper ? (pages ?? []) : [page], paper, options)
  const side = { pdf, layout, options, onFailure: setFailure }
  const isTwoSided = isDuplex(options.duplex)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm font-medium" data-sheets={sheets.length}>
        {plural(pdf.pageCount, 'page')}, {countSheets(sheets.length, options.copies ?? 1, qty)}
        {isTwoSided && ', both sides'}
      </p>
      <div className="flex flex-wrap justify-center gap-3 rounded-md bg-raised p-4">
        <Side {...side} pages={sheet.front} label={isTwoSided ? 'front' : undefined} number={index + 1} />
        {sheet.back && (
          <Side
            {...side}
            pages={sheet.back}
            label={options.duplex === 'short-edge' ? 'back, turned over the short edge' : 'back'}
            number={index + 1}
          />
        )}
      </div>
      {sheets.length > 1 && (
        <div className="flex items-center justify-center gap-3 text-sm">
          <Button aria-label="Previous sheet" disabled={index === 0} onClick={() => setAt(index - 1)}>
            <ChevronLeft size={16} aria-hidden />
          </Button>
          Sheet {index + 1} of {sheets.length}
          <Button aria-label="Next sheet" disabled={index === sheets.length - 1} onClick={() => setAt(index + 1)}>
            <ChevronRight size={16} aria-hidden />
          </Button>
        </div>
      )}
      {layout.dpi && (
        <p className="text-xs text-muted">
          Shown as the computer draws it for the printer: black dots, {layout.dpi} per inch.
        </p>
      )}
      {!paper && !raster && (
        <p className="text-xs text-muted">Shown in the size of the page. The printer uses its own paper.</p>
      )}
      {options.crop === 'auto' && (
        <p className="text-xs text-muted">
          Shown as whole pages. The computer prints only what is on them, with a margin of 3 mm.
        </p>
      )}
      {paper && layout.isScaled && (
        <p className="text-xs text-muted">
          Scaled to the sheet.{raster ? '' : ' The margins of the printer are not shown.'}
        </p>
      )}
    </div>
  )
}

interface SideProps {
  pdf: PdfDocument
  pages: number[]
  layout: Layout
  options: PrintOptions
  label: string | undefined
  /** The number of the sheet. */
  number: number
  onFailure(error: unknown): void
}

function Side({ pdf, pages, layout, options, label, number, onFailure }: SideProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  const key = JSON.stringify([pages, layout, options])
  /** What the canvas shows. While another sheet is drawn, it is the one before. */
  const [shown, setShown] = useState<{ pdf: PdfDocument; key: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is drawn
  useEffect(() => {
    let isCurrent = true
    const drawn = document.createElement('canvas')
    pdf.draw(drawn, pages, layout.sheet, layout.toPlacement, layout.dpi).then(
      (images) => {
        const canvas = ref.current
        if (!isCurrent || !canvas) return
        canvas.width = drawn.width
        canvas.height = drawn.height
        const context = canvas.getContext('2d')
        context?.drawImage(drawn, 0, 0)
        const pixels = layout.dpi ? context?.getImageData(0, 0, drawn.width, drawn.height) : undefined
        if (pixels) {
          drawDots(pixels, images)
          context?.putImageData(pixels, 0, 0)
        }
        setShown({ pdf, key })
      },
      (error) => isCurrent && onFailure(error),
    )
    return () => {
      isCurrent = false
    }
  }, [pdf, key])
  const shows = pages.length === 0 ? 'empty' : `${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}`
  return (
    <figure className="flex min-w-0 max-w-full flex-col items-center gap-1">
      <canvas
        ref={ref}
        role="img"
        aria-label={`Sheet ${number}${label ? `, ${label}` : ''}: ${shows}`}
        data-drawn={shown?.pdf === pdf && shown.key === key}
        className={`max-h-[26rem] max-w-full bg-[#fff] shadow-md ${options.color === false ? 'grayscale' : ''}`}
      />
      {label && <figcaption className="text-xs text-muted">{label}</figcaption>}
    </figure>
  )
}

/** pdf.js names the kind of its errors. */
function toReadable(error: unknown): Error {
  const { name, message } = error as Error
  if (name === 'PasswordException') return new Error('The PDF is protected by a password.')
  if (name === 'InvalidPDFException') return new Error(`The PDF is damaged: ${message}`)
  return error as Error
}
